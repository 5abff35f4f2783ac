import type { APIRoute } from 'astro'
import { allAnswers } from '#collections/assistant-answers.ts'

/** What the voice agent knows; loaded when a conversation starts. */
export const GET: APIRoute = async () => Response.json(await allAnswers())
