import { isFields, type Fields } from '../../domain/fields.ts';
import { INSTANT_PATTERN } from '../../domain/time.ts';

const INSTANT = new RegExp(INSTANT_PATTERN);

/** Returns fields with times in the form of Statuspage, which has milliseconds and a time zone. */
const withTimes = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && /_at$|_for$|_until$/.test(name) && INSTANT.test(value)
        ? `${value.slice(0, 23)}Z`
        : value,
    ]),
  );

const objects = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** Fields of a page that only Uptrail has. */
const OWN = ['organization_id', 'revision', 'template_id', 'show_measurements', 'show_edits', 'allow_history'];

/** Returns a page in the form of Statuspage's interface. */
export const statuspagePage = (page: Fields): Fields =>
  withTimes(Object.fromEntries(Object.entries(page).filter(([name]) => !OWN.includes(name))));

/** Returns the components and groups of a page in the form of Statuspage's interface. */
export const statuspageComponents = (components: readonly Fields[]) => {
  const common = (component: Fields): Fields => {
    const { id, page_id, name, description, position, created_at, updated_at } = component;
    return withTimes({ id, page_id, name, description, position, created_at, updated_at });
  };
  const membersOf = (group: Fields): unknown[] =>
    components.filter(({ group_id }) => group_id === group['id']).map(({ id }) => id);
  return {
    components: components.map((component) => {
      const { group, group_id, status, showcase, only_show_if_degraded, start_date } = component;
      const own = { group, group_id, status, showcase, only_show_if_degraded, start_date, automation_email: null };
      return { ...common(component), ...own, ...(group === true && { components: membersOf(component) }) };
    }),
    component_groups: components
      .filter(({ group }) => group === true)
      .map((group) => ({ ...common(group), components: membersOf(group) })),
  };
};

/** Returns an incident in the form of Statuspage's interface. @param components components and groups of the page */
export const statuspageIncident = (incident: Fields, components: readonly Fields[]): Fields => {
  const nameOf = new Map(components.map(({ id, name }) => [String(id), name]));
  const statuses = new Map<string, unknown>();
  const oldestFirst = [...objects(incident['incident_updates'])].reverse();
  const updates = oldestFirst.map((update) => {
    const map = isFields(update['components']) ? update['components'] : {};
    const affected = Object.entries(map).map(([code, new_status]) => {
      const old_status = statuses.get(code) ?? 'operational';
      if (update['status'] !== 'scheduled') statuses.set(code, new_status);
      return { code, name: nameOf.get(code) ?? code, old_status, new_status };
    });
    const { id, incident_id, status, withheld_at, deliver_notifications } = update;
    const { created_at, updated_at, display_at } = withTimes(update);
    return {
      ...{ id, incident_id, status, deliver_notifications, created_at, updated_at, display_at },
      // A withheld text is hidden from visitors, so no other page may show it either.
      body: withheld_at === null ? update['body'] : '',
      affected_components: affected.length === 0 ? null : affected,
      custom_tweet: null,
      tweet_id: null,
      twitter_updated_at: null,
      wants_twitter_update: false,
    };
  });
  const { postmortem_published_at } = incident;
  return {
    ...withTimes(incident),
    impact_override: null,
    shortlink: null,
    postmortem_ignored: postmortem_published_at === null,
    postmortem_notified_subscribers: false,
    postmortem_notified_twitter: false,
    components: statuspageComponents(objects(incident['components'])).components,
    incident_updates: updates.reverse(),
  };
};
