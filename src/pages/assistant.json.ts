import type { APIRoute } from 'astro'
import { allAnswers } from '#collections/assistant-answers.ts'

/** Returns the voice agent's answers, which are fetched when a conversation starts. */
export const GET: APIRoute = async () => Response.json(await allAnswers())
