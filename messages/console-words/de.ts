import { plurals } from '../words/plurals.ts';
import { bulk } from './de/bulk.ts';
import { checkForm } from './de/check-form.ts';
import { checkStart } from './de/check-start.ts';
import { alertChannels } from './de/alert-channels.ts';
import { alertRules } from './de/alert-rules.ts';
import { alerts } from './de/alerts.ts';
import { common } from './de/common.ts';
import { secrets } from './de/secrets.ts';
import { account } from './de/account/account.ts';
import { audit } from './de/account/audit.ts';
import { keys } from './de/account/keys.ts';
import { links } from './de/account/links.ts';
import { operator } from './de/account/operator.ts';
import { people } from './de/account/people.ts';
import { plan } from './de/account/plan.ts';
import { sessions } from './de/account/sessions.ts';
import { wall } from './de/account/wall.ts';
import { incidents } from './de/incidents.ts';
import { maintenances } from './de/maintenances.ts';
import { templates } from './de/templates.ts';
import { check } from './de/check.ts';
import { result } from './de/result.ts';
import { groups } from './de/groups.ts';
import { heartbeats } from './de/heartbeats.ts';
import { reports } from './de/reports.ts';
import { runners } from './de/runners.ts';
import { tags } from './de/tags.ts';
import { appearance } from './de/appearance.ts';
import { components } from './de/components.ts';
import { pageSettings } from './de/page-settings.ts';
import { pages } from './de/pages.ts';
import { subscribers } from './de/subscribers.ts';
import { palette } from './de/palette.ts';
import { savedViews } from './de/saved-views.ts';
import { past } from './de/past.ts';
import { shortcuts } from './de/shortcuts.ts';
import { simulation } from './de/simulation.ts';
import type { ConsoleWords } from './words.ts';

const seconds = plurals('de', { one: 'Sekunde', other: 'Sekunden' });
const checks = plurals('de', { one: 'weitere Prüfung schlägt fehl', other: 'weitere Prüfungen schlagen fehl' });
const moreAlerts = plurals('de', { one: 'weiterer Alarm ist offen', other: 'weitere Alarme sind offen' });
const ofChecks = plurals('de', { one: 'Prüfung', other: 'Prüfungen' });

export const de: ConsoleWords = {
  common,
  bulk,
  checkForm,
  checkStart,
  secrets,
  account,
  audit,
  keys,
  links,
  operator,
  people,
  plan,
  sessions,
  wall,
  incidents,
  maintenances,
  templates,
  check,
  result,
  alerts,
  alertRules,
  alertChannels,
  heartbeats,
  groups,
  tags,
  reports,
  runners,
  pages,
  components,
  appearance,
  pageSettings,
  subscribers,
  palette,
  savedViews,
  shortcuts,
  past,
  simulation,
  skipToContent: 'Zum Inhalt springen',
  loading: 'Wird geladen',
  close: 'Schließen',
  needsScript: 'Die Konsole braucht JavaScript. Bitte erlauben Sie es für diese Seite.',
  screens: {
    overview: 'Übersicht',
    checks: 'Prüfungen',
    alerts: 'Alarme',
    secrets: 'Geheimnisse',
    people: 'Personen',
    keys: 'API-Schlüssel',
    audit: 'Protokoll',
    plan: 'Tarif',
    usage: 'Verbrauch',
    operator: 'Dienst',
    profile: 'Ihr Konto',
    sessions: 'Sitzungen',
    wall: 'Wandansicht',
    incidents: 'Störungen',
    maintenances: 'Wartungen',
    incidentTemplates: 'Vorlagen für Störungen',
    heartbeats: 'Heartbeats',
    groups: 'Gruppen',
    tags: 'Schlagwörter',
    reports: 'Berichte',
    runners: 'Runner',
    pages: 'Statusseiten',
  },
  shell: {
    navigation: 'Menü',
    openNavigation: 'Menü öffnen',
    closeNavigation: 'Menü schließen',
    account: 'Konto',
    signOut: 'Abmelden',
    documentation: 'API-Dokumentation',
    reconnecting: 'Verbindung wird wiederhergestellt, zuletzt',
    shortcuts: 'Tastenkürzel',
    language: 'Sprache',
    theme: 'Darstellung',
    themes: { system: 'Automatisch', light: 'Hell', dark: 'Dunkel' },
    roles: { viewer: 'Nur lesen', editor: 'Bearbeiten', admin: 'Verwaltung', billing: 'Abrechnung' },
  },
  failure: {
    title: 'Das konnte nicht geladen werden',
    unreachable: 'Der Dienst antwortet nicht. Vielleicht startet er gerade neu, oder das Netz ist gestört.',
    forbidden: 'Ihre Rolle erlaubt das nicht.',
    tryAgain: 'Erneut versuchen',
    request: 'Anfrage',
    tooMany: (count) => `Zu viele Versuche. Bitte warten Sie ${seconds(count)}.`,
    notFound: 'Seite nicht gefunden',
    notFoundText: 'Unter dieser Adresse gibt es nichts. Es wurde entfernt, oder der Link ist unvollständig.',
    backToOverview: 'Zur Übersicht',
  },
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    showPassword: 'Zeigen',
    hidePassword: 'Verbergen',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    ended: 'Ihre Sitzung ist beendet. Bitte melden Sie sich erneut an.',
    codeTitle: 'Zweiter Faktor',
    codeText: 'Geben Sie den Code Ihrer Authenticator-App ein oder einen Ihrer Wiederherstellungscodes.',
    code: 'Code',
    wrongCode: 'Der Code ist falsch oder abgelaufen. Beginnen Sie von vorn, wenn das so bleibt.',
    startOver: 'Von vorn beginnen',
    notEncrypted:
      'Diese Verbindung ist nicht verschlüsselt: Andere im Netz können Ihr Passwort mitlesen. Verwenden Sie https.',
    forgotten: 'Passwort vergessen?',
  },
  firstRun: {
    title: 'Uptrail einrichten',
    keyText: (file, variable) =>
      `Geben Sie den Admin-Schlüssel ein. Er wurde beim ersten Start ausgegeben und steht in der Datei ${file} des Datenordners, wenn ${variable} keinen anderen nennt.`,
    key: 'Admin-Schlüssel',
    continue: 'Weiter',
    wrongKey: 'Dieser Schlüssel ist unbekannt. Prüfen Sie, ob er vollständig kopiert ist.',
    noAdminKey: 'Mit diesem Schlüssel kann man kein Konto anlegen. Nötig ist ein Admin-Schlüssel.',
    userTitle: 'Konto anlegen',
    userText: 'Ihr Konto ist das erste und verwaltet den Dienst. Andere können Sie später einladen.',
    repeatPassword: 'Passwort wiederholen',
    passwordRule: 'Mindestens 8 Zeichen.',
    different: 'Die Passwörter unterscheiden sich.',
    emailRefused: 'Das ist keine gültige E-Mail-Adresse.',
    emailTaken: 'Diese E-Mail-Adresse gehört zu einem anderen Konto.',
    passwordRefused: 'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes.',
    submit: 'Konto anlegen',
    otherKey: 'Anderen Schlüssel verwenden',
    already: 'Es gibt schon ein Konto. Bitte melden Sie sich an.',
  },
  states: { down: 'gestört', up: 'erreichbar', pending: 'ausstehend', paused: 'pausiert' },
  severities: { low: 'gering', medium: 'mittel', high: 'hoch', critical: 'kritisch' },
  incidentStatuses: {
    investigating: 'wird untersucht',
    identified: 'Ursache gefunden',
    monitoring: 'wird beobachtet',
    in_progress: 'läuft',
    verifying: 'wird geprüft',
  },
  overview: {
    failing: 'Fehlschlagende Prüfungen',
    allUp: 'Alles ist erreichbar',
    allUpText: 'Keine Prüfung schlägt fehl, kein Alarm ist offen und kein Heartbeat ist überfällig.',
    noChecks: 'Noch wird nichts überwacht',
    noChecksText: 'Legen Sie eine Prüfung an; ihr Zustand erscheint hier.',
    howToCreate: 'So legt man eine Prüfung an',
    more: checks,
    alerts: 'Offene Alarme',
    moreAlerts,
    acknowledge: 'Übernehmen',
    acknowledged: 'übernommen',
    lateHeartbeats: 'Überfällige Heartbeats',
    late: 'überfällig',
    incidents: 'Störungen und Wartungen',
  },
  checks: {
    name: 'Name',
    type: 'Art',
    message: 'Meldung',
    hours: 'Letzte 24 Stunden',
    since: 'Seit',
    responseTime: 'Antwortzeit',
    uptime: 'Verfügbar in 30 Tagen',
    tags: 'Schlagwörter',
    filter: 'Prüfungen filtern',
    filterExample: 'status:down tag:eu Text',
    matches: ofChecks,
    noMatch: 'Keine Prüfung entspricht dem Filter.',
    showAll: 'Alle Prüfungen zeigen',
    orderChanged: 'Neue Reihenfolge',
    select: 'Auswählen',
    selectAll: 'Alle Prüfungen auswählen',
    selection: 'Ausgewählte Prüfungen',
    selected: (count) => `${ofChecks(count)} ausgewählt`,
    selectMatches: (count) => `Alle auswählen: ${ofChecks(count)}`,
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    run: 'Jetzt ausführen',
    addTags: 'Hinzufügen',
    removeTags: 'Entfernen',
    tagsHint: 'Kleinbuchstaben, Ziffern und . _ : - mit Leerzeichen dazwischen.',
    delete: 'Löschen',
    tooMany: (count) => `Höchstens ${ofChecks(count)} auf einmal`,
    clear: 'Auswahl aufheben',
    deleted: 'gelöscht',
    undo: 'Rückgängig',
    changed: (count) => `Geändert: ${ofChecks(count)}.`,
    deletedMany: (count) => `Gelöscht: ${ofChecks(count)}.`,
    restored: (count) => `Wiederhergestellt: ${ofChecks(count)}.`,
    started: 'Die Prüfung läuft.',
  },
};
