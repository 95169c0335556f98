import { plurals } from '../../words/plurals.ts';
import type { SubscriptionWords } from './words.ts';

const minutes = plurals('de', { one: 'Minute', other: 'Minuten' });

export const de: SubscriptionWords = {
  title: 'Meldungen abonnieren',
  intro: (page) => `Erhalten Sie eine Nachricht, sobald ${page} eine Störung meldet oder eine Wartung plant.`,
  notTaken: 'Diese Seite kann nicht abonniert werden.',
  incidentsOnly:
    'Auf dieser Seite können Sie einzelne Störungen abonnieren. Öffnen Sie eine Störung und wählen Sie „Verfolgen“.',
  how: 'Wie sollen wir Sie erreichen?',
  modes: { email: 'E-Mail', sms: 'SMS', webhook: 'Webhook' },
  email: 'E-Mail-Adresse',
  country: 'Land',
  chooseCountry: 'Land wählen',
  phone: 'Mobilnummer',
  endpoint: 'URL des Webhooks',
  endpointHint:
    'Wir senden jede Meldung als JSON dorthin. Zuerst senden wir eine Prüfanfrage, die der Endpunkt beantworten muss.',
  contact: 'E-Mail-Adresse für Probleme (optional)',
  contactHint: 'Für Nachrichten über den Webhook selbst.',
  about: 'Worüber möchten Sie informiert werden?',
  all: 'Alles auf dieser Seite',
  allHint: 'Alle Störungen und Wartungen',
  some: 'Nur einzelne Komponenten',
  someHint: 'Störungen und Wartungen der ausgewählten Komponenten',
  incident: 'Nur diese Störung',
  maintenance: 'Nur diese Wartung',
  submit: 'Abonnieren',
  note: 'Wir bitten Sie um eine Bestätigung. Jede Nachricht enthält einen Link zum Abmelden.',
  problem: 'Bitte prüfen Sie die markierten Angaben.',
  problems: {
    mode: 'Wählen Sie, wie wir Sie erreichen sollen.',
    email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ida@example.com.',
    phone_country: 'Wählen Sie das Land Ihrer Nummer. Nicht jedes Land ist erreichbar.',
    phone_number: 'Geben Sie eine Mobilnummer des gewählten Landes ein.',
    endpoint: 'Geben Sie eine URL ein, die aus dem Internet erreichbar ist.',
    contact_email: 'Geben Sie eine E-Mail-Adresse ein oder lassen Sie das Feld leer.',
    component_ids: 'Wählen Sie mindestens eine Komponente, die es auf der Seite noch gibt.',
  },
  incidentOver: 'Diese Störung kann nicht mehr abonniert werden.',
  refused: 'Diese Art von Abonnement ist auf dieser Seite nicht möglich.',
  tooMany: (count) => `Es gab zu viele Anmeldungen. Bitte versuchen Sie es in ${minutes(count)} noch einmal.`,
  taken:
    'Dieser Endpunkt kann jetzt nicht abonniert werden. Wenden Sie sich an die Betreiber des Endpunkts oder der Seite.',
  done: {
    email: {
      title: 'Sehen Sie in Ihr Postfach',
      text: 'Wir haben Ihnen einen Link gesendet. Öffnen Sie ihn innerhalb von sieben Tagen, um Ihr Abonnement zu bestätigen; vorher werden keine Meldungen gesendet. Falls Sie diese Meldungen schon erhalten, müssen Sie nichts tun und bekommen keine neue Nachricht.',
      hint: 'Nach einigen Minuten nichts da? Sehen Sie im Spam-Ordner nach, oder prüfen Sie die Adresse und abonnieren Sie noch einmal.',
    },
    sms: {
      title: 'Sehen Sie auf Ihr Telefon',
      text: 'Wir haben Ihnen eine SMS mit einem Link gesendet. Öffnen Sie ihn innerhalb von sieben Tagen, um Ihr Abonnement zu bestätigen; vorher werden keine Meldungen gesendet. Falls Sie diese Meldungen schon erhalten, müssen Sie nichts tun und bekommen keine neue Nachricht.',
      hint: 'Nach einigen Minuten nichts da? Prüfen Sie die Nummer und abonnieren Sie noch einmal.',
    },
    webhook: {
      title: 'Webhook angemeldet',
      text: (endpoint) =>
        `Wir senden eine Prüfanfrage an ${endpoint}. Sobald sie beantwortet ist, gehen die Meldungen dorthin.`,
      secret: 'Signaturschlüssel',
      secretHint:
        'Er wird nur jetzt angezeigt. Prüfen Sie damit die Signatur jeder Anfrage, wie es Standard Webhooks beschreibt.',
    },
  },
  other: 'Andere Wege',
  otherText: 'Feeds und Kalender brauchen kein Abonnement.',
  manage: {
    title: 'Ihr Abonnement',
    address: 'Meldungen gehen an',
    receives: 'Meldungen senden',
    receivesHint: 'Ausgeschaltet pausiert das Abonnement: Es bleibt bestehen, aber nichts wird gesendet.',
    save: 'Speichern',
    saved: 'Ihre Änderungen sind gespeichert.',
    pending: 'Dieses Abonnement ist noch nicht bestätigt. Öffnen Sie den Link in unserer Nachricht.',
    quarantined:
      'Nachrichten an diese Adresse sind fehlgeschlagen, deshalb senden wir keine mehr. Speichern Sie mit eingeschalteten Meldungen, um wieder welche zu erhalten.',
    oneIncident: 'Dieses Abonnement gilt einer einzelnen Störung:',
    unsubscribeText: 'Wenn Sie gar keine Meldungen mehr möchten, beenden Sie Ihr Abonnement.',
    unsubscribe: 'Abmelden',
    link: 'Abonnement ändern',
  },
};
