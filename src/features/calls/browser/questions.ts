import * as z from 'zod/mini'
import { askedQuestion, type AskedQuestion } from '#calls/domain/unanswered.ts'
import { allRowsSince, supabase } from '#platform/browser/supabase.ts'

const columns = Object.keys(askedQuestion.shape).join(', ')

/** The most questions that the portal lists at once. */
const most = 100

/** Reads what this customer's agent did not know and nobody has taught it, the latest first; undefined without a readable answer. */
export async function readOpenQuestions(): Promise<AskedQuestion[] | undefined> {
  const { data, error } = await supabase()
    .from('questions')
    .select(columns)
    .is('done_at', null)
    .order('asked_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(most)
  return error ? undefined : z.safeParse(z.array(askedQuestion), data).data
}

/** Reads all questions that a customer's agent did not know; undefined without a readable answer. */
export async function readQuestions(userId: string): Promise<AskedQuestion[] | undefined> {
  const own = () => supabase().from('questions').select(columns).eq('user_id', userId)
  const rows = await allRowsSince(own, 'asked_at')
  return z.safeParse(z.array(askedQuestion), rows).data
}

/** Notes that a question need not be answered, or that it does. Returns false if the database did not answer. */
export const noteQuestionDone = async (id: string, isDone: boolean): Promise<boolean> =>
  !(await supabase().rpc('note_question_done', { p_question: id, p_is_done: isDone })).error
