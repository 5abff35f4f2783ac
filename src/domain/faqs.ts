import { plans } from './plans.ts'

/** An entry of the FAQ (specification, section 3). */
export interface Faq {
  id: string
  question: string
  answer: string
}

const cloningPlans = plans.filter((plan) => plan.voiceCloning).map((plan) => plan.name)

/** The nine answers the product starts with (specification, section 1). */
export const seededFaqs: readonly Faq[] = [
  {
    id: 'setup-time',
    question: 'How long does setup take?',
    answer:
      'Setup takes 5 to 10 business days. You choose a voice and an industry template, we connect your channel, and you test the agent before callers reach it.',
  },
  {
    id: 'languages',
    question: 'Which languages can the agent speak?',
    answer:
      'Agents speak 30+ languages. How many of them your agents use at the same time depends on your plan.',
  },
  {
    id: 'voice-cloning',
    question: 'Can the agent use my own voice?',
    answer: `Yes. Voice cloning is part of the ${cloningPlans.join(' and ')} plans. You upload a voice sample, and the agent answers in that voice.`,
  },
  {
    id: 'inbound-outbound',
    question: 'Does it answer calls only, or does it place them too?',
    answer:
      'Both. Agents handle inbound and outbound calls: they answer your line around the clock, and they can call people back.',
  },
  {
    id: 'booking-support',
    question: 'What can an agent do on a call?',
    answer:
      'It answers questions, books appointments and gives support in a natural voice, 24 hours a day and 7 days a week.',
  },
  {
    id: 'call-insights',
    question: 'How do I know what was said?',
    answer: 'Your portal keeps call logs with transcripts, sentiment analysis and success rates.',
  },
  {
    id: 'compliance',
    question: 'Is it ready for GDPR and HIPAA?',
    answer:
      'Yes. The service is built for GDPR and HIPAA readiness. Tell us your requirements before you start, and we will go through them with you.',
  },
  {
    id: 'integrations',
    question: 'Which systems does it work with?',
    answer:
      'Salesforce, HubSpot, Google Calendar, Twilio and Opera PMS, and anything else through custom APIs.',
  },
  {
    id: 'exceeding-minutes',
    question: 'What happens when I exceed my plan minutes?',
    answer:
      'You get a usage alert. You can then upgrade your plan or buy pay-as-you-go minute packages, which are billed monthly.',
  },
]
