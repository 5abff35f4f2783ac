import type { AgentKnowledge } from './knowledge.ts'

/** The languages that an agent's first words are written in, by the language of the locale. */
export const greetingLanguages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl'] as const
type GreetingLanguage = (typeof greetingLanguages)[number]

type Wording = AgentKnowledge['disclosure']
interface Sentences extends Record<Wording, (name: string) => string> {
  recorded: string
  /** What follows if the customer has no greeting of their own. */
  offer: string
}

interface FirstWords {
  /** The name of the business; null if the customer has not given it. */
  business: string | null
  /** The customer's own greeting; null for the standard one, and empty for none. */
  greeting: string | null
  isRecorded: boolean
}

/** The sentences that tell a caller that an AI is speaking, and that the call is recorded. They cannot be removed. */
const sentences: Record<GreetingLanguage, Sentences> = {
  en: {
    assistant: (name) => `You have reached ${name || 'us'}. I am an AI assistant.`,
    agent: (name) => `Thank you for calling${name && ` ${name}`}. You are speaking with an AI agent.`,
    automated: (name) => `Hello, this is the automated phone service${name && ` of ${name}`}, an AI.`,
    recorded: 'This call is recorded.',
    offer: 'How can I help you?',
  },
  es: {
    assistant: (name) => `Ha llamado ${name ? `a ${name}` : 'a nuestro negocio'}. Soy un asistente de IA.`,
    agent: (name) => `Gracias por llamar${name && ` a ${name}`}. Habla con un agente de IA.`,
    automated: (name) => `Hola, este es el servicio telefónico automático${name && ` de ${name}`}, una IA.`,
    recorded: 'Esta llamada se graba.',
    offer: '¿En qué puedo ayudarle?',
  },
  fr: {
    assistant: (name) => `Vous êtes bien ${name ? `chez ${name}` : 'chez nous'}. Je suis un assistant IA.`,
    agent: (name) => `Merci d’appeler${name && ` ${name}`}. Vous parlez à un agent IA.`,
    automated: (name) =>
      `Bonjour, voici le service téléphonique automatique${name && ` de ${name}`}, une IA.`,
    recorded: 'Cet appel est enregistré.',
    offer: 'Que puis-je faire pour vous ?',
  },
  de: {
    assistant: (name) => `Sie sind verbunden mit ${name || 'uns'}. Ich bin ein KI-Assistent.`,
    agent: (name) => `Danke für Ihren Anruf${name && ` bei ${name}`}. Sie sprechen mit einem KI-Agenten.`,
    automated: (name) =>
      `Guten Tag, hier ist der automatische Telefondienst${name && ` von ${name}`}, eine KI.`,
    recorded: 'Dieser Anruf wird aufgezeichnet.',
    offer: 'Wie kann ich Ihnen helfen?',
  },
  it: {
    assistant: (name) => `Ha chiamato ${name || 'la nostra attività'}. Sono un assistente IA.`,
    agent: (name) => `Grazie per aver chiamato${name && ` ${name}`}. Sta parlando con un agente IA.`,
    automated: (name) => `Salve, questo è il servizio telefonico automatico${name && ` di ${name}`}, una IA.`,
    recorded: 'Questa chiamata viene registrata.',
    offer: 'Come posso aiutarla?',
  },
  pt: {
    assistant: (name) => `Ligou para ${name || 'nós'}. Sou um assistente de IA.`,
    agent: (name) => `Obrigado por ligar${name && ` para ${name}`}. Está a falar com um agente de IA.`,
    automated: (name) => `Olá, este é o serviço telefónico automático${name && ` de ${name}`}, uma IA.`,
    recorded: 'Esta chamada é gravada.',
    offer: 'Em que posso ajudar?',
  },
  nl: {
    assistant: (name) => `U bent verbonden met ${name || 'ons'}. Ik ben een AI-assistent.`,
    agent: (name) => `Bedankt voor uw telefoontje${name && ` naar ${name}`}. U spreekt met een AI-agent.`,
    automated: (name) => `Goedendag, dit is de automatische telefoondienst${name && ` van ${name}`}, een AI.`,
    recorded: 'Dit gesprek wordt opgenomen.',
    offer: 'Waarmee kan ik u helpen?',
  },
}

const isWritten = (language: string): language is GreetingLanguage =>
  greetingLanguages.some((each) => each === language)

/**
 * Returns an agent's first words, in the main language of its knowledge, or in English if they are not written in it: that
 * an AI is speaking, that the call is recorded if it is, and the customer's greeting.
 */
export function firstWords(
  { languages, disclosure }: Pick<AgentKnowledge, 'languages' | 'disclosure'>,
  { business, greeting, isRecorded }: FirstWords,
): string {
  const language = languages[0]?.slice(0, 2) ?? ''
  const said = sentences[isWritten(language) ? language : 'en']
  return [said[disclosure](business ?? ''), isRecorded ? said.recorded : '', greeting?.trim() ?? said.offer]
    .filter(Boolean)
    .join(' ')
}
