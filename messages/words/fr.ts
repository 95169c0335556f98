import { plurals } from './plurals.ts';
import type { Words } from './words.ts';

const others = plurals('fr', { one: 'autre composant', other: 'autres composants' });

export const fr: Words = {
  language: 'fr',
  colon: '\u00a0: ',
  incidentStatus: {
    investigating: 'Analyse en cours',
    identified: 'Cause identifiée',
    monitoring: 'Sous surveillance',
    resolved: 'Résolu',
    scheduled: 'Planifiée',
    in_progress: 'En cours',
    verifying: 'Vérification en cours',
    completed: 'Terminée',
  },
  componentStatus: {
    operational: 'Opérationnel',
    under_maintenance: 'En maintenance',
    degraded_performance: 'Performances dégradées',
    partial_outage: 'Panne partielle',
    major_outage: 'Panne majeure',
  },
  impact: { none: 'Aucun', maintenance: 'Maintenance', minor: 'Mineur', major: 'Majeur', critical: 'Critique' },
  pageStatus: {
    none: 'Tous les systèmes sont opérationnels',
    maintenance: 'Maintenance en cours',
    minor: 'Performances dégradées de certains systèmes',
    major: 'Panne partielle des systèmes',
    critical: 'Panne majeure des systèmes',
  },
  happened: {
    'incident.created': 'Nouvel incident',
    'incident.updated': 'Du nouveau sur l’incident',
    'incident.resolved': 'Incident résolu',
    'maintenance.scheduled': 'Maintenance planifiée',
    'maintenance.updated': 'Du nouveau sur la maintenance',
    'maintenance.reminder': 'Rappel de maintenance',
    'maintenance.started': 'Début de la maintenance',
    'maintenance.completed': 'Maintenance terminée',
    'postmortem.published': 'Rapport d’incident',
    'component.status_changed': 'État d’un composant',
  },
  sentence: {
    'incident.created': 'Un nouvel incident a été signalé.',
    'incident.updated': 'Il y a du nouveau sur cet incident.',
    'incident.resolved': 'Cet incident est résolu.',
    'maintenance.scheduled': 'Une maintenance a été planifiée.',
    'maintenance.updated': 'Il y a du nouveau sur cette maintenance.',
    'maintenance.reminder': 'Nous vous rappelons que la maintenance planifiée commence bientôt.',
    'maintenance.started': 'La maintenance planifiée a commencé.',
    'maintenance.completed': 'La maintenance planifiée est terminée.',
    'postmortem.published': 'Un rapport sur cet incident a été publié.',
    'component.status_changed': 'L’état d’un composant a changé.',
  },
  times: {
    moment: (day, clock, zone) => `${day} à ${clock} ${zone}`,
    span: (day, from, until, zone) => `${day}, de ${from} à ${until} ${zone}`,
  },
  mail: {
    status: 'État',
    impact: 'Impact',
    scheduled: 'Prévue le',
    components: 'Composants concernés',
    more: (count) => `et ${others(count)}`,
    viewPage: 'Voir la page d’état',
    support: 'Contacter l’assistance',
    cut: 'Ce texte a été raccourci.',
    readOn: 'Ce texte a été raccourci. Lisez-le en entier sur la page d’état\u00a0:',
    why: (page) => `Vous recevez cet e-mail au titre de votre abonnement aux actualités de ${page}.`,
    unsubscribe: 'Se désabonner',
  },
  sms: {
    unsubscribe: 'Se désabonner\u00a0:',
    confirm: (page) => `Confirmez votre abonnement aux actualités de ${page}\u00a0:`,
  },
  confirmation: {
    subject: (page) => `Confirmez votre abonnement à ${page}`,
    title: 'Confirmez votre abonnement',
    sentence: (page) =>
      `Cette adresse a été saisie pour recevoir les actualités de ${page}. Veuillez confirmer que vous le souhaitez.`,
    button: 'Confirmer l’abonnement',
    orOpen: 'Ou ouvrez ce lien dans votre navigateur\u00a0:',
    until: (moment) => `Ce lien est valable jusqu’au ${moment}.`,
    notYou: 'Si vous n’avez rien demandé, ignorez ce message\u00a0: sans votre confirmation, rien ne sera envoyé.',
  },
};
