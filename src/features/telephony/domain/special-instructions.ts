/** What the agent is told at the end of its prompt if a call is special, by what becomes of the ring. */
export const specialInstructions = {
  answer: '',
  'take a message':
    'In this call, answer no questions and book nothing. Ask for the caller’s name, number and message, say that somebody will call back, and end the call.',
  'put through': 'In this call, put the caller through at once, without asking anything.',
} as const
