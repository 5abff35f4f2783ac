import { inMainLanguage, type GreetingLanguage } from '#agent/domain/disclosure.ts'

/** What a caller hears that neither the agent's model nor its greeting says. */
interface LineWords {
  noAnswer: string
  tooOften: string
  blocked: string
  handOver: string
  /** While a tool of ours takes long. */
  wait: string
  goodbye: string
}

const written: Record<GreetingLanguage, LineWords> = {
  en: {
    noAnswer: 'We cannot take your call at the moment. Please try again later.',
    tooOften: 'You have called very often today. Please try again tomorrow.',
    blocked: 'This number does not take your call.',
    handOver: 'One moment, I am putting you through.',
    wait: 'One moment, please.',
    goodbye: 'Goodbye.',
  },
  es: {
    noAnswer: 'En este momento no podemos atender su llamada. Por favor, inténtelo de nuevo más tarde.',
    tooOften: 'Hoy ha llamado muchas veces. Por favor, vuelva a intentarlo mañana.',
    blocked: 'Este número no acepta su llamada.',
    handOver: 'Un momento, por favor, transfiero su llamada.',
    wait: 'Un momento, por favor.',
    goodbye: 'Hasta luego.',
  },
  fr: {
    noAnswer: 'Nous ne pouvons pas prendre votre appel pour le moment. Veuillez rappeler plus tard.',
    tooOften: 'Vous avez appelé très souvent aujourd’hui. Veuillez rappeler demain.',
    blocked: 'Ce numéro n’accepte pas votre appel.',
    handOver: 'Un instant, je vous mets en relation.',
    wait: 'Un instant, s’il vous plaît.',
    goodbye: 'Au revoir.',
  },
  de: {
    noAnswer: 'Wir können Ihren Anruf im Moment nicht annehmen. Bitte versuchen Sie es später noch einmal.',
    tooOften: 'Sie haben heute schon sehr oft angerufen. Bitte versuchen Sie es morgen wieder.',
    blocked: 'Diese Nummer nimmt Ihren Anruf nicht an.',
    handOver: 'Einen Moment, ich verbinde Sie.',
    wait: 'Einen Moment, bitte.',
    goodbye: 'Auf Wiederhören.',
  },
  it: {
    noAnswer: 'Al momento non possiamo rispondere alla sua chiamata. La preghiamo di riprovare più tardi.',
    tooOften: 'Oggi ha chiamato molte volte. La preghiamo di riprovare domani.',
    blocked: 'Questo numero non accetta la sua chiamata.',
    handOver: 'Un attimo, per favore, trasferisco la chiamata.',
    wait: 'Un attimo, per favore.',
    goodbye: 'Arrivederci.',
  },
  pt: {
    noAnswer: 'De momento não podemos atender a sua chamada. Por favor, tente novamente mais tarde.',
    tooOften: 'Hoje já ligou muitas vezes. Por favor, tente novamente amanhã.',
    blocked: 'Este número não aceita a sua chamada.',
    handOver: 'Um momento, por favor, vou transferir a sua chamada.',
    wait: 'Um momento, por favor.',
    goodbye: 'Até à próxima.',
  },
  nl: {
    noAnswer: 'We kunnen uw telefoontje op dit moment niet aannemen. Probeer het later nog eens.',
    tooOften: 'U hebt vandaag al heel vaak gebeld. Probeer het morgen nog eens.',
    blocked: 'Dit nummer neemt uw telefoontje niet aan.',
    handOver: 'Een ogenblik, ik verbind u door.',
    wait: 'Een ogenblik, alstublieft.',
    goodbye: 'Tot ziens.',
  },
}

/**
 * Returns what callers of an agent hear besides what it says, in its main language.
 * @param locales the agent's, the main one first; without any, English
 */
export const lineWords = (locales: readonly string[]): LineWords => inMainLanguage(written, locales)
