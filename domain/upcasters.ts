/** Converts the data of one version of an event type to the next version; pure. */
export type Upcaster = (data: object) => object;

/** By event type, then by the version that an upcaster converts from. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** For versions whose data is also valid in the next one. */
const unchanged: Upcaster = (data) => data;

/** A switch of a maintenance was recorded only by the components that it set; a status change had no other components. */
const withSwitch: Upcaster = (data) => {
  const { components } = data as { components: Record<string, string> };
  const [status] = Object.values(components);
  return status === undefined ? data : { ...data, switched: { status, sent: {} } };
};

/** Before, no status changed automatically, and subscribers were not notified of a status without an update. */
const byHandUnnoticed: Upcaster = (data) => ({ ...data, automatic: false, deliver_notifications: false });

/** Before, components had no check. */
const watchedByNone: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, check_id: null } };
};

/** Before, components did not show response times. */
const withoutResponseTimes: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, show_response_times: false } };
};

/** Before, components had no tag of checks. */
const watchedByNoTag: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, check_tag: null } };
};

/** Before, pages showed neither measurements nor edits, did not redirect, and could not be embedded. */
const asPagesWere: Upcaster = (data) => {
  const { page } = data as { page: object };
  const were = { show_measurements: false, show_edits: false, redirect_to_domain: false, allow_embedding: null };
  return { ...data, page: { ...page, ...were } };
};

/** Before, each rule watched one check. */
const byNoTag: Upcaster = (data) => {
  const { rule } = data as { rule: object };
  return { ...data, rule: { ...rule, tag: null } };
};

/** Before, there were no groups. */
const inNoGroup: Upcaster = (data) => ({ ...data, group_id: null, position: null });

/** Before, there were no secrets. */
const boundToNone: Upcaster = (data) => ({ ...data, secrets: [] });

/** Before, there were no tags. */
const untagged: Upcaster = (data) => ({ ...data, tags: [] });

const untaggedHeartbeat: Upcaster = (data) => {
  const { heartbeat } = data as { heartbeat: object };
  return { ...data, heartbeat: { ...heartbeat, tags: [] } };
};

/** Before, reports had no tag. */
const aboutNoTag: Upcaster = (data) => {
  const { report } = data as { report: object };
  return { ...data, report: { ...report, tag: null } };
};

/** Before, keys were created only on the command line and at the start. */
const madeByNobody: Upcaster = (data) => ({ ...data, created_by: null, created_by_key: null, allowed_ips: [] });

/** Before, events listed the affected components and updates for read models, which now compute them. */
const withoutHints: Upcaster = (data) =>
  Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'touched' && field !== 'incident_update_ids'));

/**
 * Upcasters for events of earlier versions (docs/develop/change-event.md#change-an-event-type). Raising the version of an event type adds
 * the step from the previous version; released steps never change.
 */
export const upcasters: Upcasters = {
  // Before version 2 a timeout was a whole number of seconds.
  CheckCreated: { 1: unchanged, 2: inNoGroup, 3: boundToNone, 4: untagged },
  // Before version 3 a change had no tags.
  CheckUpdated: { 1: unchanged, 2: unchanged },
  // Version 2 adds the time.
  CheckDeleted: { 1: unchanged },
  HeartbeatCreated: { 1: untaggedHeartbeat },
  HeartbeatUpdated: { 1: unchanged },
  AlertRuleCreated: { 1: byNoTag },
  // Before version 2 a change had no tag, and its check was never null.
  AlertRuleUpdated: { 1: unchanged },
  JobQueued: { 1: unchanged },
  ReportRequested: { 1: aboutNoTag },
  PageCreated: { 1: asPagesWere },
  // Before version 2 a change had none of the fields that `asPagesWere` adds.
  PageUpdated: { 1: unchanged },
  ComponentAdded: { 1: watchedByNone, 2: withoutResponseTimes, 3: watchedByNoTag },
  // A change had no check before version 2, no response times before version 3, and no tag before version 4.
  ComponentUpdated: { 1: unchanged, 2: unchanged, 3: unchanged },
  // Before version 2 its role was one of the four that existed.
  ApiKeyCreated: { 1: unchanged, 2: madeByNobody },
  // Before version 2 messages were not delayed.
  IncidentOpened: { 1: unchanged },
  MaintenanceScheduled: { 1: unchanged },
  IncidentStatusChanged: { 1: withSwitch, 2: withoutHints, 3: byHandUnnoticed },
  // Components of a switch and of the request are in one map; all count as components of the request.
  IncidentUpdateAppended: { 1: unchanged, 2: withoutHints },
  IncidentUpdateEdited: { 1: withoutHints },
  IncidentUpdateRemoved: { 1: withoutHints },
  IncidentDeleted: { 1: withoutHints },
  // Version 2 adds the order of messages in a series, and which messages wait for a digest.
  DeliveriesPlanned: { 1: unchanged },
  // Version 2 may also name the regions without a live runner.
  ExecutionGroupStarted: { 1: unchanged },
  ExecutionGroupTimedOut: { 1: unchanged },
  CheckRunCompleted: {
    // Version 2 adds `late` for runs in one region, and `outdated` for on-demand runs.
    1: unchanged,
    // Version 3 adds the key of the definition, and `suspect`.
    2: unchanged,
    // Version 4 adds the time of a run whose result was delivered later.
    3: unchanged,
  },
};

/**
 * Converts data of a version to a later one, step by step.
 *
 * @returns null if a step is missing: the version was never released, or its upcaster was forgotten
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
