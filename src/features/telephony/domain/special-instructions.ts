/** Is told to the agent at the end of its prompt in a call in which it only takes a message. */
export const messageInstructions =
  'In this call, answer no questions and book nothing. Ask for the caller’s name, number and message, say that somebody will call back, and end the call.'
