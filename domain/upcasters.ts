/** Brings the data of one version of an event type to the next version; pure. */
export type Upcaster = (data: object) => object;

/** By event type, then by the version that an upcaster starts from. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** For versions whose data means the same in the next one. */
const unchanged: Upcaster = (data) => data;

/** A maintenance's switch was known by what it had set; a status alone never came with components. */
const withSwitch: Upcaster = (data) => {
  const { components } = data as { components: Record<string, string> };
  const [status] = Object.values(components);
  return status === undefined ? data : { ...data, switched: { status, sent: {} } };
};

/** Until then, nothing was done by the clock, and nobody was told of a status alone. */
const byHandUnnoticed: Upcaster = (data) => ({ ...data, automatic: false, deliver_notifications: false });

/** Until then, no component named a check. */
const watchedByNone: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, check_id: null } };
};

/** Until then, no component showed response times. */
const withoutResponseTimes: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, show_response_times: false } };
};

/** Until then, no component named a tag of checks. */
const watchedByNoTag: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, check_tag: null } };
};

/** Until then, pages showed neither measurements nor edits, had one address each, and were shown in no frame. */
const asPagesWere: Upcaster = (data) => {
  const { page } = data as { page: object };
  const were = { show_measurements: false, show_edits: false, redirect_to_domain: false, allow_embedding: null };
  return { ...data, page: { ...page, ...were } };
};

/** Until then, each rule watched one check. */
const byNoTag: Upcaster = (data) => {
  const { rule } = data as { rule: object };
  return { ...data, rule: { ...rule, tag: null } };
};

/** Until then, there were no groups. */
const inNoGroup: Upcaster = (data) => ({ ...data, group_id: null, position: null });

/** Until then, there were no secrets. */
const boundToNone: Upcaster = (data) => ({ ...data, secrets: [] });

/** Until then, there were no tags. */
const untagged: Upcaster = (data) => ({ ...data, tags: [] });

const untaggedHeartbeat: Upcaster = (data) => {
  const { heartbeat } = data as { heartbeat: object };
  return { ...data, heartbeat: { ...heartbeat, tags: [] } };
};

/** Until then, no report was about a tag. */
const aboutNoTag: Upcaster = (data) => {
  const { report } = data as { report: object };
  return { ...data, report: { ...report, tag: null } };
};

/** Until then, keys were made at the command line and at the start alone. */
const madeByNobody: Upcaster = (data) => ({ ...data, created_by: null, created_by_key: null, allowed_ips: [] });

/** Released events told read models which components and updates they touch; read models now know it themselves. */
const withoutHints: Upcaster = (data) =>
  Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'touched' && field !== 'incident_update_ids'));

/**
 * How events of earlier versions are read (design.md: Events). Raising the version of an event type adds
 * the step from the version before; released steps never change.
 */
export const upcasters: Upcasters = {
  // Until version 2 a timeout had only whole seconds.
  CheckCreated: { 1: unchanged, 2: inNoGroup, 3: boundToNone, 4: untagged },
  // Until version 3 a change named no tags.
  CheckUpdated: { 1: unchanged, 2: unchanged },
  // Version 2 also says when.
  CheckDeleted: { 1: unchanged },
  HeartbeatCreated: { 1: untaggedHeartbeat },
  HeartbeatUpdated: { 1: unchanged },
  AlertRuleCreated: { 1: byNoTag },
  // Until version 2 a change named no tag, and always a check where it named one.
  AlertRuleUpdated: { 1: unchanged },
  JobQueued: { 1: unchanged },
  ReportRequested: { 1: aboutNoTag },
  PageCreated: { 1: asPagesWere },
  // Until version 2 a change named none of the fields that `asPagesWere` adds.
  PageUpdated: { 1: unchanged },
  ComponentAdded: { 1: watchedByNone, 2: withoutResponseTimes, 3: watchedByNoTag },
  // A change did not name a check, until version 3 no response times, and until version 4 no tag.
  ComponentUpdated: { 1: unchanged, 2: unchanged, 3: unchanged },
  // Until version 2 its roles were the four that existed.
  ApiKeyCreated: { 1: unchanged, 2: madeByNobody },
  // Until version 2 no messages were held.
  IncidentOpened: { 1: unchanged },
  MaintenanceScheduled: { 1: unchanged },
  IncidentStatusChanged: { 1: withSwitch, 2: withoutHints, 3: byHandUnnoticed },
  // What a switch had set and what was sent are in one map; both count as sent.
  IncidentUpdateAppended: { 1: unchanged, 2: withoutHints },
  IncidentUpdateEdited: { 1: withoutHints },
  IncidentUpdateRemoved: { 1: withoutHints },
  IncidentDeleted: { 1: withoutHints },
  // Version 2 also says that messages of a series come one after another, and which ones wait for a digest.
  DeliveriesPlanned: { 1: unchanged },
  // Version 2 may also name the regions without a live runner.
  ExecutionGroupStarted: { 1: unchanged },
  ExecutionGroupTimedOut: { 1: unchanged },
  CheckRunCompleted: {
    // Version 2 also says that runs in one region are late, and that those on demand are outdated.
    1: unchanged,
    // Version 3 also names the definition that ran, and says that a result is suspect.
    2: unchanged,
    // Version 4 also says when a run took place whose result was delivered afterwards.
    3: unchanged,
  },
};

/**
 * Data of a version brought to a later one, step by step.
 *
 * @returns null when a step is missing: the version was never released, or its upcaster was forgotten
 */
export const upcast = (
  type: string,
  data: object,
  from: number,
  to: number,
  known: Upcasters = upcasters,
): object | null => {
  let upcasted = data;
  for (let version = from; version < to; version++) {
    const step = known[type]?.[version];
    if (!step) return null;
    upcasted = step(upcasted);
  }
  return upcasted;
};
