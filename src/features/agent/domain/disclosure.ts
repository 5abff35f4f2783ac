import { isVisible } from '#platform/domain/text/typed-text.ts'
import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { languageOf } from './locales.ts'

/** The languages in which what callers hear is written, as far as no model says it. */
export const greetingLanguages = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl'] as const
export type GreetingLanguage = (typeof greetingLanguages)[number]

type Wording = AgentKnowledge['disclosure']
interface Sentences extends Record<Wording, (name: string) => string> {
  recorded: string
  /** What follows if the customer has no greeting of their own. */
  offer: string
  /** What follows if the agent may only take a message. */
  message: string
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
    message: 'I can take a message. What may I pass on?',
  },
  es: {
    assistant: (name) => `Ha llamado ${name ? `a ${name}` : 'a nuestro negocio'}. Soy un asistente de IA.`,
    agent: (name) => `Gracias por llamar${name && ` a ${name}`}. Habla con un agente de IA.`,
    automated: (name) => `Hola, este es el servicio telefónico automático${name && ` de ${name}`}, una IA.`,
    recorded: 'Esta llamada se graba.',
    offer: '¿En qué puedo ayudarle?',
    message: 'Puedo tomar un recado. ¿Qué desea que transmita?',
  },
  fr: {
    assistant: (name) => `Vous êtes bien ${name ? `chez ${name}` : 'chez nous'}. Je suis un assistant IA.`,
    agent: (name) => `Merci d’appeler${name && ` ${name}`}. Vous parlez à un agent IA.`,
    automated: (name) =>
      `Bonjour, voici le service téléphonique automatique${name && ` de ${name}`}, une IA.`,
    recorded: 'Cet appel est enregistré.',
    offer: 'Que puis-je faire pour vous ?',
    message: 'Je peux prendre un message. Que puis-je transmettre ?',
  },
  de: {
    assistant: (name) => `Sie sind verbunden mit ${name || 'uns'}. Ich bin ein KI-Assistent.`,
    agent: (name) => `Danke für Ihren Anruf${name && ` bei ${name}`}. Sie sprechen mit einem KI-Agenten.`,
    automated: (name) =>
      `Guten Tag, hier ist der automatische Telefondienst${name && ` von ${name}`}, eine KI.`,
    recorded: 'Dieser Anruf wird aufgezeichnet.',
    offer: 'Wie kann ich Ihnen helfen?',
    message: 'Ich kann eine Nachricht aufnehmen. Was darf ich ausrichten?',
  },
  it: {
    assistant: (name) => `Ha chiamato ${name || 'la nostra attività'}. Sono un assistente IA.`,
    agent: (name) => `Grazie per aver chiamato${name && ` ${name}`}. Sta parlando con un agente IA.`,
    automated: (name) => `Salve, questo è il servizio telefonico automatico${name && ` di ${name}`}, una IA.`,
    recorded: 'Questa chiamata viene registrata.',
    offer: 'Come posso aiutarla?',
    message: 'Posso prendere un messaggio. Che cosa devo riferire?',
  },
  pt: {
    assistant: (name) => `Ligou para ${name || 'nós'}. Sou um assistente de IA.`,
    agent: (name) => `Obrigado por ligar${name && ` para ${name}`}. Está a falar com um agente de IA.`,
    automated: (name) => `Olá, este é o serviço telefónico automático${name && ` de ${name}`}, uma IA.`,
    recorded: 'Esta chamada é gravada.',
    offer: 'Em que posso ajudar?',
    message: 'Posso anotar um recado. O que devo transmitir?',
  },
  nl: {
    assistant: (name) => `U bent verbonden met ${name || 'ons'}. Ik ben een AI-assistent.`,
    agent: (name) => `Bedankt voor uw telefoontje${name && ` naar ${name}`}. U spreekt met een AI-agent.`,
    automated: (name) => `Goedendag, dit is de automatische telefoondienst${name && ` van ${name}`}, een AI.`,
    recorded: 'Dit gesprek wordt opgenomen.',
    offer: 'Waarmee kan ik u helpen?',
    message: 'Ik kan een boodschap aannemen. Wat mag ik doorgeven?',
  },
}

const isWritten = (language: string): language is GreetingLanguage =>
  greetingLanguages.some((each) => each === language)

/**
 * Returns what is written in the main language of an agent, or in English if it is not written in that.
 * @param locales the agent's, the main one first
 */
export function inMainLanguage<Words>(
  written: Readonly<Record<GreetingLanguage, Words>>,
  [main = '']: readonly string[],
): Words {
  const language = languageOf(main)
  return written[isWritten(language) ? language : 'en']
}

type Spoken = Pick<AgentKnowledge, 'languages' | 'disclosure'>

/**
 * Returns an agent's first words: that an AI is speaking, that the call is recorded if it is, and the customer's greeting.
 */
export function firstWords(knowledge: Spoken, { business, greeting, isRecorded }: FirstWords): string {
  const said = inMainLanguage(sentences, knowledge.languages)
  return [
    said[knowledge.disclosure](business && isVisible(business) ? business : ''),
    isRecorded ? said.recorded : '',
    greeting?.trim() ?? said.offer,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns the first words of an agent that may only take a message. */
export const messageWords = (knowledge: Spoken, about: Pick<FirstWords, 'business' | 'isRecorded'>): string =>
  firstWords(knowledge, { ...about, greeting: inMainLanguage(sentences, knowledge.languages).message })
