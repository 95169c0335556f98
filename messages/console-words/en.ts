import { plurals } from '../words/plurals.ts';
import { bulk } from './en/bulk.ts';
import { checkForm } from './en/check-form.ts';
import { checkStart } from './en/check-start.ts';
import { alertChannels } from './en/alert-channels.ts';
import { alertRules } from './en/alert-rules.ts';
import { alerts } from './en/alerts.ts';
import { common } from './en/common.ts';
import { secrets } from './en/secrets.ts';
import { account } from './en/account/account.ts';
import { audit } from './en/account/audit.ts';
import { keys } from './en/account/keys.ts';
import { links } from './en/account/links.ts';
import { operator } from './en/account/operator.ts';
import { people } from './en/account/people.ts';
import { plan } from './en/account/plan.ts';
import { sessions } from './en/account/sessions.ts';
import { wall } from './en/account/wall.ts';
import { incidents } from './en/incidents.ts';
import { maintenances } from './en/maintenances.ts';
import { templates } from './en/templates.ts';
import { check } from './en/check.ts';
import { result } from './en/result.ts';
import { groups } from './en/groups.ts';
import { heartbeats } from './en/heartbeats.ts';
import { reports } from './en/reports.ts';
import { runners } from './en/runners.ts';
import { tags } from './en/tags.ts';
import { appearance } from './en/appearance.ts';
import { components } from './en/components.ts';
import { pageSettings } from './en/page-settings.ts';
import { pages } from './en/pages.ts';
import { subscribers } from './en/subscribers.ts';
import { palette } from './en/palette.ts';
import { savedViews } from './en/saved-views.ts';
import { past } from './en/past.ts';
import { shortcuts } from './en/shortcuts.ts';
import { simulation } from './en/simulation.ts';
import type { ConsoleWords } from './words.ts';

const seconds = plurals('en', { one: 'second', other: 'seconds' });
const checks = plurals('en', { one: 'more check is failing', other: 'more checks are failing' });
const moreAlerts = plurals('en', { one: 'more alert is open', other: 'more alerts are open' });
const ofChecks = plurals('en', { one: 'check', other: 'checks' });

export const en: ConsoleWords = {
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
  skipToContent: 'Skip to content',
  loading: 'Loading',
  close: 'Close',
  needsScript: 'The console needs JavaScript. Please enable it for this site.',
  screens: {
    overview: 'Overview',
    checks: 'Checks',
    alerts: 'Alerts',
    secrets: 'Secrets',
    people: 'People',
    keys: 'API keys',
    audit: 'Audit log',
    plan: 'Plan',
    usage: 'Usage',
    operator: 'Service',
    profile: 'Your account',
    sessions: 'Sessions',
    wall: 'Wall view',
    incidents: 'Incidents',
    maintenances: 'Maintenance',
    incidentTemplates: 'Incident templates',
    heartbeats: 'Heartbeats',
    groups: 'Groups',
    tags: 'Tags',
    reports: 'Reports',
    runners: 'Runners',
    pages: 'Status pages',
  },
  shell: {
    navigation: 'Navigation',
    openNavigation: 'Open navigation',
    closeNavigation: 'Close navigation',
    account: 'Account',
    signOut: 'Sign out',
    documentation: 'API documentation',
    reconnecting: 'Reconnecting, last',
    shortcuts: 'Keyboard shortcuts',
    language: 'Language',
    theme: 'Appearance',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    roles: { viewer: 'Viewer', editor: 'Editor', admin: 'Admin', billing: 'Billing' },
  },
  failure: {
    title: 'This could not be loaded',
    unreachable: 'The service does not respond. It may be restarting, or the network is down.',
    forbidden: 'Your role does not allow this.',
    tryAgain: 'Try again',
    request: 'Request',
    tooMany: (count) => `Too many attempts. Please wait ${seconds(count)}.`,
    notFound: 'Page not found',
    notFoundText: 'There is nothing at this address. It may have been removed, or the link is incomplete.',
    backToOverview: 'Go to the overview',
  },
  signIn: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    showPassword: 'Show',
    hidePassword: 'Hide',
    wrong: 'The e-mail or the password is wrong.',
    ended: 'Your session has ended. Please sign in again.',
    codeTitle: 'Second factor',
    codeText: 'Enter the code that your authenticator app shows, or one of your recovery codes.',
    code: 'Code',
    wrongCode: 'The code is wrong, or it has expired. If this keeps happening, start over.',
    startOver: 'Start over',
    notEncrypted: 'This connection is not encrypted: others on the network can read your password. Use https instead.',
    forgotten: 'Forgot your password?',
  },
  firstRun: {
    title: 'Set up Uptrail',
    keyText: (file, variable) =>
      `Enter the admin key. It was printed at the first start, and is in the file ${file} of the data folder, unless ${variable} names another.`,
    key: 'Admin key',
    continue: 'Continue',
    wrongKey: 'This key is unknown. Check that you have copied all of it.',
    noAdminKey: 'This key cannot create users. An admin key is needed.',
    userTitle: 'Create your account',
    userText: 'You are the first user and become an admin. You can invite others later.',
    repeatPassword: 'Repeat the password',
    passwordRule: 'At least 8 characters.',
    different: 'The passwords do not match.',
    emailRefused: 'This is not a valid e-mail address.',
    emailTaken: 'This e-mail address belongs to another user.',
    passwordRefused: 'This password is too easy to guess. Choose another one.',
    submit: 'Create account',
    otherKey: 'Use another key',
    already: 'A user already exists. Please sign in.',
  },
  states: { down: 'down', up: 'up', pending: 'pending', paused: 'paused' },
  severities: { low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
  incidentStatuses: {
    investigating: 'investigating',
    identified: 'identified',
    monitoring: 'monitoring',
    in_progress: 'in progress',
    verifying: 'verifying',
  },
  overview: {
    failing: 'Failing checks',
    allUp: 'Everything is up',
    allUpText: 'No check is failing, no alert is open and no heartbeat is late.',
    noChecks: 'Nothing is watched yet',
    noChecksText: 'Create a check, and its state appears here.',
    howToCreate: 'How to create a check',
    more: checks,
    alerts: 'Open alerts',
    moreAlerts,
    acknowledge: 'Acknowledge',
    acknowledged: 'acknowledged',
    lateHeartbeats: 'Late heartbeats',
    late: 'late',
    incidents: 'Incidents and maintenance',
  },
  checks: {
    name: 'Name',
    type: 'Type',
    message: 'Message',
    hours: 'Last 24 hours',
    since: 'Since',
    responseTime: 'Response time',
    uptime: 'Uptime in 30 days',
    tags: 'Tags',
    filter: 'Filter checks',
    filterExample: 'status:down tag:eu text',
    matches: ofChecks,
    noMatch: 'No check matches the filter.',
    showAll: 'Show all checks',
    orderChanged: 'Order has changed',
    select: 'Select',
    selectAll: 'Select all checks',
    selection: 'Selected checks',
    selected: (count) => `${ofChecks(count)} selected`,
    selectMatches: (count) => `Select all ${ofChecks(count)}`,
    pause: 'Pause',
    resume: 'Resume',
    run: 'Run now',
    addTags: 'Add',
    removeTags: 'Remove',
    tagsHint: 'Lower-case letters, digits and . _ : - with spaces in between.',
    delete: 'Delete',
    tooMany: (count) => `At most ${ofChecks(count)} at a time`,
    clear: 'Clear selection',
    deleted: 'deleted',
    undo: 'Undo',
    changed: (count) => `Changed ${ofChecks(count)}.`,
    deletedMany: (count) => `Deleted ${ofChecks(count)}.`,
    restored: (count) => `Restored ${ofChecks(count)}.`,
    started: 'The check is running.',
  },
};
