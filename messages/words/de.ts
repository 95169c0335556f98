import { plurals } from './plurals.ts';
import type { Words } from './words.ts';

const components = plurals('de', { one: 'weitere Komponente', other: 'weitere Komponenten' });

export const de: Words = {
  language: 'de',
  colon: ': ',
  incidentStatus: {
    investigating: 'Wird untersucht',
    identified: 'Ursache gefunden',
    monitoring: 'Unter Beobachtung',
    resolved: 'Behoben',
    scheduled: 'Geplant',
    in_progress: 'Läuft',
    verifying: 'Wird überprüft',
    completed: 'Abgeschlossen',
  },
  componentStatus: {
    operational: 'In Betrieb',
    under_maintenance: 'In Wartung',
    degraded_performance: 'Eingeschränkte Leistung',
    partial_outage: 'Teilausfall',
    major_outage: 'Schwerer Ausfall',
  },
  impact: { none: 'Keine', maintenance: 'Wartung', minor: 'Gering', major: 'Erheblich', critical: 'Kritisch' },
  pageStatus: {
    none: 'Alle Systeme in Betrieb',
    maintenance: 'Wartungsarbeiten im Gange',
    minor: 'Eingeschränkte Leistung einiger Systeme',
    major: 'Teilausfall von Systemen',
    critical: 'Schwerer Ausfall von Systemen',
  },
  happened: {
    'incident.created': 'Neue Störung',
    'incident.updated': 'Neues zur Störung',
    'incident.resolved': 'Störung behoben',
    'maintenance.scheduled': 'Geplante Wartung',
    'maintenance.updated': 'Neues zur Wartung',
    'maintenance.reminder': 'Erinnerung an Wartung',
    'maintenance.started': 'Wartung hat begonnen',
    'maintenance.completed': 'Wartung abgeschlossen',
    'postmortem.published': 'Nachbetrachtung',
    'component.status_changed': 'Status einer Komponente',
  },
  sentence: {
    'incident.created': 'Eine neue Störung wurde gemeldet.',
    'incident.updated': 'Es gibt Neues zu dieser Störung.',
    'incident.resolved': 'Diese Störung wurde behoben.',
    'maintenance.scheduled': 'Eine Wartung wurde angesetzt.',
    'maintenance.updated': 'Es gibt Neues zu dieser Wartung.',
    'maintenance.reminder': 'Wir erinnern Sie daran, dass die geplante Wartung bald beginnt.',
    'maintenance.started': 'Die geplante Wartung hat begonnen.',
    'maintenance.completed': 'Die geplante Wartung ist abgeschlossen.',
    'postmortem.published': 'Zu dieser Störung wurde eine Nachbetrachtung veröffentlicht.',
    'component.status_changed': 'Der Status einer Komponente hat sich geändert.',
  },
  times: {
    moment: (day, clock, zone) => `${day}, ${clock} Uhr ${zone}`,
    span: (day, from, until, zone) => `${day}, ${from} – ${until} Uhr ${zone}`,
  },
  mail: {
    status: 'Status',
    impact: 'Auswirkung',
    scheduled: 'Geplant für',
    components: 'Betroffene Komponenten',
    more: (count) => `und ${components(count)}`,
    viewPage: 'Zur Statusseite',
    support: 'Support kontaktieren',
    cut: 'Dieser Text wurde gekürzt.',
    readOn: 'Dieser Text wurde gekürzt. Vollständig lesen Sie ihn auf der Statusseite:',
    why: (page) => `Sie erhalten diese E-Mail, weil Sie die Meldungen von ${page} abonniert haben.`,
    unsubscribe: 'Abmelden',
    manage: 'Abonnement ändern',
  },
  sms: {
    unsubscribe: 'Abmelden:',
    confirm: (page) => `Statusmeldungen von ${page} bestätigen:`,
  },
  confirmation: {
    subject: (page) => `Bestätigen Sie Ihr Abonnement von ${page}`,
    title: 'Bestätigen Sie Ihr Abonnement',
    sentence: (page) =>
      `Diese Adresse wurde angegeben, um Statusmeldungen von ${page} zu erhalten. Bitte bestätigen Sie, dass Sie das möchten.`,
    button: 'Abonnement bestätigen',
    orOpen: 'Oder öffnen Sie diesen Link in Ihrem Browser:',
    until: (moment) => `Der Link ist gültig bis ${moment}.`,
    notYou:
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht. Ohne Ihre Bestätigung werden keine Meldungen gesendet.',
  },
};
