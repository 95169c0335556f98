import type { BulkWords } from './words/bulk.ts';
import type { CheckFormWords } from './words/check-form.ts';
import type { CheckStartWords } from './words/check-start.ts';
import type { AlertChannelWords } from './words/alert-channels.ts';
import type { AlertRuleWords } from './words/alert-rules.ts';
import type { AlertWords } from './words/alerts.ts';
import type { CommonWords } from './words/common.ts';
import type { SecretsWords } from './words/secrets.ts';
import type { AccountWords } from './words/account/account.ts';
import type { AuditWords } from './words/account/audit.ts';
import type { KeysWords } from './words/account/keys.ts';
import type { LinksWords } from './words/account/links.ts';
import type { OperatorWords } from './words/account/operator.ts';
import type { PeopleWords } from './words/account/people.ts';
import type { PlanWords } from './words/account/plan.ts';
import type { SessionsWords } from './words/account/sessions.ts';
import type { WallWords } from './words/account/wall.ts';
import type { IncidentWords } from './words/incidents.ts';
import type { MaintenanceWords } from './words/maintenances.ts';
import type { TemplateWords } from './words/templates.ts';
import type { CheckWords } from './words/check.ts';
import type { ResultWords } from './words/result.ts';
import type { GroupWords } from './words/groups.ts';
import type { HeartbeatWords } from './words/heartbeats.ts';
import type { ReportWords } from './words/reports.ts';
import type { RunnersWords } from './words/runners.ts';
import type { TagWords } from './words/tags.ts';
import type { AppearanceWords } from './words/appearance.ts';
import type { ComponentsWords } from './words/components.ts';
import type { PageSettingsWords } from './words/page-settings.ts';
import type { PagesWords } from './words/pages.ts';
import type { SubscribersWords } from './words/subscribers.ts';
import type { PaletteWords } from './words/palette.ts';
import type { SavedViewsWords } from './words/saved-views.ts';
import type { PastWords } from './words/past.ts';
import type { ShortcutsWords } from './words/shortcuts.ts';
import type { SimulationWords } from './words/simulation.ts';

/**
 * The console's texts in one language. If a language lacks a key, compilation fails. Functions receive unescaped texts
 * and return text, never HTML. Browsers load the file of a language, so this file must stay small: it imports nothing
 * except `plurals`.
 */
export interface ConsoleWords {
  common: CommonWords;
  bulk: BulkWords;
  checkForm: CheckFormWords;
  checkStart: CheckStartWords;
  secrets: SecretsWords;
  account: AccountWords;
  audit: AuditWords;
  keys: KeysWords;
  links: LinksWords;
  operator: OperatorWords;
  people: PeopleWords;
  plan: PlanWords;
  sessions: SessionsWords;
  wall: WallWords;
  incidents: IncidentWords;
  maintenances: MaintenanceWords;
  templates: TemplateWords;
  check: CheckWords;
  result: ResultWords;
  alerts: AlertWords;
  alertRules: AlertRuleWords;
  alertChannels: AlertChannelWords;
  heartbeats: HeartbeatWords;
  groups: GroupWords;
  tags: TagWords;
  reports: ReportWords;
  runners: RunnersWords;
  pages: PagesWords;
  components: ComponentsWords;
  appearance: AppearanceWords;
  pageSettings: PageSettingsWords;
  subscribers: SubscribersWords;
  palette: PaletteWords;
  savedViews: SavedViewsWords;
  shortcuts: ShortcutsWords;
  past: PastWords;
  simulation: SimulationWords;
  /** text of the first link on every screen, for screen readers */
  skipToContent: string;
  loading: string;
  /** label of buttons that close a dialog, drawer or menu */
  close: string;
  /** shown by browsers that do not run scripts */
  needsScript: string;
  /** screen names, in the navigation and in titles */
  screens: {
    overview: string;
    checks: string;
    secrets: string;
    people: string;
    keys: string;
    audit: string;
    plan: string;
    usage: string;
    operator: string;
    profile: string;
    sessions: string;
    wall: string;
    incidents: string;
    maintenances: string;
    incidentTemplates: string;
    alerts: string;
    heartbeats: string;
    groups: string;
    tags: string;
    reports: string;
    runners: string;
    pages: string;
  };
  shell: {
    navigation: string;
    openNavigation: string;
    closeNavigation: string;
    account: string;
    signOut: string;
    documentation: string;
    /** shown before the time of the newest event: `Reconnecting, last 14:05:12` */
    reconnecting: string;
    shortcuts: string;
    language: string;
    theme: string;
    themes: { system: string; light: string; dark: string };
    /** role names; unknown roles are shown as they are */
    roles: { viewer: string; editor: string; admin: string; billing: string };
  };
  failure: {
    title: string;
    unreachable: string;
    forbidden: string;
    tryAgain: string;
    /** shown before a request id: `Request 5f3c…` */
    request: string;
    /** shown after too many requests; `seconds`: time until the user can retry */
    tooMany: (seconds: number) => string;
    notFound: string;
    notFoundText: string;
    backToOverview: string;
  };
  signIn: {
    title: string;
    email: string;
    password: string;
    submit: string;
    showPassword: string;
    hidePassword: string;
    wrong: string;
    /** shown after the session has ended */
    ended: string;
    codeTitle: string;
    codeText: string;
    code: string;
    wrongCode: string;
    startOver: string;
    /** warning shown if the user signs in over plain http from another machine */
    notEncrypted: string;
    forgotten: string;
  };
  firstRun: {
    title: string;
    /** says where to find the admin key: in a file or in an environment variable */
    keyText: (file: string, variable: string) => string;
    key: string;
    continue: string;
    wrongKey: string;
    noAdminKey: string;
    userTitle: string;
    userText: string;
    repeatPassword: string;
    passwordRule: string;
    different: string;
    emailRefused: string;
    emailTaken: string;
    passwordRefused: string;
    submit: string;
    otherKey: string;
    /** shown if somebody else has created the first user in the meantime */
    already: string;
  };
  /** states of checks and heartbeats, shown after their number or next to their name */
  states: { down: string; up: string; pending: string; paused: string };
  /** alert severities */
  severities: { low: string; medium: string; high: string; critical: string };
  /** statuses of active incidents and maintenances */
  incidentStatuses: {
    investigating: string;
    identified: string;
    monitoring: string;
    in_progress: string;
    verifying: string;
  };
  overview: {
    failing: string;
    allUp: string;
    allUpText: string;
    noChecks: string;
    noChecksText: string;
    howToCreate: string;
    /** the number of failing checks that are not listed */
    more: (count: number) => string;
    alerts: string;
    /** the number of open alerts that are not listed */
    moreAlerts: (count: number) => string;
    acknowledge: string;
    /** shown before the user who acknowledged: `acknowledged: ann@example.com` */
    acknowledged: string;
    lateHeartbeats: string;
    late: string;
    incidents: string;
  };
  checks: {
    name: string;
    type: string;
    /** heading of the column that says what is wrong with a check */
    message: string;
    /** heading of the column with the response times of the last 24 hours */
    hours: string;
    /** heading of the column that says for how long a check has been up or down */
    since: string;
    responseTime: string;
    uptime: string;
    tags: string;
    filter: string;
    /** example of a filter. `status:` and `tag:` are syntax, so they must not be translated */
    filterExample: string;
    /** the number of checks shown */
    matches: (count: number) => string;
    noMatch: string;
    showAll: string;
    /** label of a button that shows the rows in their new order */
    orderChanged: string;
    select: string;
    selectAll: string;
    /** label of the group of buttons for the selected checks */
    selection: string;
    selected: (count: number) => string;
    /** label of a button that selects all checks that match the filter */
    selectMatches: (count: number) => string;
    pause: string;
    resume: string;
    run: string;
    addTags: string;
    removeTags: string;
    tagsHint: string;
    delete: string;
    /** shown if too many checks are to be deleted; `count`: maximum number per deletion */
    tooMany: (count: number) => string;
    clear: string;
    /** shown in place of a check that has just been deleted */
    deleted: string;
    undo: string;
    changed: (count: number) => string;
    deletedMany: (count: number) => string;
    restored: (count: number) => string;
    started: string;
  };
}
