import { plurals } from './plurals.ts';
import type { Words } from './words.ts';

const components = plurals('en', { one: 'more component', other: 'more components' });

export const en: Words = {
  language: 'en',
  colon: ': ',
  incidentStatus: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
    scheduled: 'Scheduled',
    in_progress: 'In progress',
    verifying: 'Verifying',
    completed: 'Completed',
  },
  componentStatus: {
    operational: 'Operational',
    under_maintenance: 'Under maintenance',
    degraded_performance: 'Degraded performance',
    partial_outage: 'Partial outage',
    major_outage: 'Major outage',
  },
  impact: { none: 'None', maintenance: 'Maintenance', minor: 'Minor', major: 'Major', critical: 'Critical' },
  pageStatus: {
    none: 'All systems operational',
    maintenance: 'Maintenance in progress',
    minor: 'Some systems are slow',
    major: 'Partial system outage',
    critical: 'Major system outage',
  },
  happened: {
    'incident.created': 'New incident',
    'incident.updated': 'Incident update',
    'incident.resolved': 'Incident resolved',
    'maintenance.scheduled': 'Scheduled maintenance',
    'maintenance.updated': 'Maintenance update',
    'maintenance.reminder': 'Maintenance reminder',
    'maintenance.started': 'Maintenance started',
    'maintenance.completed': 'Maintenance completed',
    'postmortem.published': 'Postmortem',
    'component.status_changed': 'Component status',
  },
  sentence: {
    'incident.created': 'A new incident has been reported.',
    'incident.updated': 'The incident has been updated.',
    'incident.resolved': 'This incident has been resolved.',
    'maintenance.scheduled': 'Maintenance has been scheduled.',
    'maintenance.updated': 'The maintenance has been updated.',
    'maintenance.reminder': 'This is a reminder that the scheduled maintenance begins soon.',
    'maintenance.started': 'The scheduled maintenance has started.',
    'maintenance.completed': 'The scheduled maintenance has been completed.',
    'postmortem.published': 'A postmortem of this incident has been published.',
    'component.status_changed': 'The status of a component has changed.',
  },
  times: {
    moment: (day, clock, zone) => `${day}, ${clock} ${zone}`,
    span: (day, from, until, zone) => `${day}, ${from} – ${until} ${zone}`,
  },
  mail: {
    status: 'Status',
    impact: 'Impact',
    scheduled: 'Scheduled for',
    components: 'Affected components',
    more: (count) => `and ${components(count)}`,
    viewPage: 'View status page',
    support: 'Contact support',
    cut: 'This text has been shortened.',
    readOn: 'This text has been shortened. Read all of it on the status page:',
    why: (page) => `You receive this e-mail because you subscribed to updates from ${page}.`,
    unsubscribe: 'Unsubscribe',
  },
  sms: {
    unsubscribe: 'Unsubscribe:',
    confirm: (page) => `Confirm status updates from ${page}:`,
  },
  confirmation: {
    subject: (page) => `Confirm your subscription to ${page}`,
    title: 'Confirm your subscription',
    sentence: (page) =>
      `This address was entered to receive status updates from ${page}. Please confirm that you want them.`,
    button: 'Confirm subscription',
    orOpen: 'Or open this link in your browser:',
    until: (moment) => `The link works until ${moment}.`,
    notYou: 'If you did not ask for this, ignore this message: without your confirmation, no updates will be sent.',
  },
};
