/** The templates that onboarding offers for the agent (specification, section 3: three ids). */
export const industryTemplateIds = ['hospitality', 'healthcare', 'retail'] as const
export type IndustryTemplateId = (typeof industryTemplateIds)[number]

interface IndustryTemplate {
  id: IndustryTemplateId
  name: string
  /** The businesses that it suits. */
  suits: string
  /** The tasks that the agent can do from the start. */
  starts: readonly string[]
}

export const industryTemplates: readonly IndustryTemplate[] = [
  {
    id: 'hospitality',
    name: 'Hospitality',
    suits: 'Hotels, resorts, restaurants, cafes',
    starts: ['Bookings and changes', 'Opening hours and directions', 'Requests for the front desk'],
  },
  {
    id: 'healthcare',
    name: 'Healthcare',
    suits: 'Clinics, practices, wellness',
    starts: [
      'Appointments and reminders',
      'What to bring and when to come',
      'Passing urgent calls to a person',
    ],
  },
  {
    id: 'retail',
    name: 'Retail',
    suits: 'Shops and online stores',
    starts: ['Order status and returns', 'Stock and store hours', 'Questions before buying'],
  },
]

/** The first words of the agent, unless the customer has written a greeting. */
export const greetingOf: Record<IndustryTemplateId, string> = {
  hospitality: 'Good day, thank you for calling. Would you like to book, or may I answer a question?',
  healthcare:
    'Hello, you have reached the practice. Would you like an appointment, or do you have a question?',
  retail: 'Hi, thanks for calling! Is it about an order, or shall I put something aside for you?',
}
