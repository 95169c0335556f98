/** Converts the data of one version of an event type to the next version. The function is pure. */
export type Upcaster = (data: object) => object;

/** Upcasters by event type, and then by the version that they convert from. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** Returns the data unchanged, because it is also valid in the next version. */
const unchanged: Upcaster = (data) => data;

/**
 * In version 1, `components` of a status change contained only the components that an `auto_transition_to_*_state`
 * switch set, all to the same status. This status becomes `switched.status`. The request contained no components, so
 * `switched.sent` is empty.
 */
const withSwitch: Upcaster = (data) => {
  const { components } = data as { components: Record<string, string> };
  const [status] = Object.values(components);
  return status === undefined ? data : { ...data, switched: { status, sent: {} } };
};

/**
 * Previously, no status changed automatically, and subscribers were not notified of a status change without an update.
 */
const byHandUnnoticed: Upcaster = (data) => ({ ...data, automatic: false, deliver_notifications: false });

/** Previously, components had no check. */
const watchedByNone: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, check_id: null } };
};

/** Previously, components did not show response times. */
const withoutResponseTimes: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, show_response_times: false } };
};

/** Previously, components had no tag of checks. */
const watchedByNoTag: Upcaster = (data) => {
  const { component } = data as { component: object };
  return { ...data, component: { ...component, check_tag: null } };
};

/** Previously, pages showed neither measurements nor edits, did not redirect, and could not be embedded. */
const asPagesWere: Upcaster = (data) => {
  const { page } = data as { page: object };
  const were = { show_measurements: false, show_edits: false, redirect_to_domain: false, allow_embedding: null };
  return { ...data, page: { ...page, ...were } };
};

/** Before version 3, pages did not show past states to visitors. */
const withoutHistory: Upcaster = (data) => {
  const { page } = data as { page: object };
  return { ...data, page: { ...page, allow_history: false } };
};

/** Previously, each rule watched one check. */
const byNoTag: Upcaster = (data) => {
  const { rule } = data as { rule: object };
  return { ...data, rule: { ...rule, tag: null } };
};

/** Previously, there were no check groups. */
const inNoGroup: Upcaster = (data) => ({ ...data, group_id: null, position: null });

/** Previously, there were no secrets. */
const boundToNone: Upcaster = (data) => ({ ...data, secrets: [] });

/** Previously, there were no tags. */
const untagged: Upcaster = (data) => ({ ...data, tags: [] });

const untaggedHeartbeat: Upcaster = (data) => {
  const { heartbeat } = data as { heartbeat: object };
  return { ...data, heartbeat: { ...heartbeat, tags: [] } };
};

/** Previously, reports had no tag. */
const aboutNoTag: Upcaster = (data) => {
  const { report } = data as { report: object };
  return { ...data, report: { ...report, tag: null } };
};

/** Previously, only the command line and the first start created keys. */
const madeByNobody: Upcaster = (data) => ({ ...data, created_by: null, created_by_key: null, allowed_ips: [] });

/** Previously, no object was managed. Then the field `managed_by` is absent, as in events without a mark. */
const unmanaged = unchanged;

/**
 * Previously, events listed the affected components and updates for read models. Now read models compute these lists.
 */
const withoutHints: Upcaster = (data) =>
  Object.fromEntries(Object.entries(data).filter(([field]) => field !== 'touched' && field !== 'incident_update_ids'));

/**
 * The upcasters for events of earlier versions (docs/develop/change-event.md#change-an-event-type). When the version of
 * an event type is raised, the step from the previous version is added here. Released steps never change.
 */
export const upcasters: Upcasters = {
  // Before version 2, a timeout was a whole number of seconds.
  CheckCreated: { 1: unchanged, 2: inNoGroup, 3: boundToNone, 4: untagged, 5: unmanaged },
  // Before version 3, a change had no tags.
  CheckUpdated: { 1: unchanged, 2: unchanged, 3: unmanaged },
  // Version 2 adds the time of the deletion.
  CheckDeleted: { 1: unchanged },
  CheckGroupCreated: { 1: unmanaged },
  CheckGroupUpdated: { 1: unmanaged },
  HeartbeatCreated: { 1: untaggedHeartbeat, 2: unmanaged },
  HeartbeatUpdated: { 1: unchanged, 2: unmanaged },
  SecretCreated: { 1: unmanaged },
  AlertChannelCreated: { 1: unmanaged },
  AlertChannelUpdated: { 1: unmanaged },
  AlertRuleCreated: { 1: byNoTag, 2: unmanaged },
  // Before version 2, a change had no tag, and its check was never null.
  AlertRuleUpdated: { 1: unchanged, 2: unmanaged },
  JobQueued: { 1: unchanged },
  ReportRequested: { 1: aboutNoTag },
  PageCreated: { 1: asPagesWere, 2: withoutHistory, 3: unmanaged },
  // Before version 2, a change had none of the fields that `asPagesWere` adds.
  PageUpdated: { 1: unchanged, 2: unchanged, 3: unmanaged },
  ComponentAdded: { 1: watchedByNone, 2: withoutResponseTimes, 3: watchedByNoTag, 4: unmanaged },
  // A change had no check before version 2, no response times before version 3, and no tag before version 4.
  ComponentUpdated: { 1: unchanged, 2: unchanged, 3: unchanged, 4: unmanaged },
  IncidentTemplateCreated: { 1: unmanaged },
  IncidentTemplateUpdated: { 1: unmanaged },
  // Before version 2, the role of a key was one of the four roles that existed then.
  ApiKeyCreated: { 1: unchanged, 2: madeByNobody },
  // Before version 2, messages were not delayed.
  IncidentOpened: { 1: unchanged },
  MaintenanceScheduled: { 1: unchanged },
  IncidentStatusChanged: { 1: withSwitch, 2: withoutHints, 3: byHandUnnoticed },
  // In version 1, `components` contains both the statuses that a maintenance set automatically and those that the
  // request set. All of them count as set by the request.
  IncidentUpdateAppended: { 1: unchanged, 2: withoutHints },
  IncidentUpdateEdited: { 1: withoutHints },
  IncidentUpdateRemoved: { 1: withoutHints },
  IncidentDeleted: { 1: withoutHints },
  // Version 2 adds whether the messages of a series are sent in order, and which messages wait for a digest.
  DeliveriesPlanned: { 1: unchanged },
  // Version 2 can also name the regions without a live runner.
  ExecutionGroupStarted: { 1: unchanged },
  ExecutionGroupTimedOut: { 1: unchanged },
  CheckRunCompleted: {
    // Version 2 adds `late` for runs in one region, and `outdated` for on-demand runs.
    1: unchanged,
    // Version 3 adds the key of the definition, and `suspect`.
    2: unchanged,
    // Version 4 adds the time when a run ended, for a result that was delivered later.
    3: unchanged,
  },
};

/**
 * Converts data of one version to a later version, step by step.
 *
 * @returns null if the upcaster of a step is missing, for example because the version was never released
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
