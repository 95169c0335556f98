/** The fields of an object, as in the body of the request that creates it. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A reference to an object of the same configuration or of the service: its name or, if several objects have this name,
 * group and name. The group is null for an object outside of groups.
 */
export type Reference = string | { group: string | null; name: string };

/**
 * The objects of an organization, as files describe them. Each object has the fields of the request that creates it
 * (docs/reference/openapi.json), but refers to other objects by name instead of by id. The key of an object is its group
 * and name. An absent kind has no objects.
 */
export interface Configuration {
  secrets?: readonly SecretEntry[];
  check_groups?: readonly NamedEntry[];
  checks?: readonly CheckEntry[];
  channels?: readonly NamedEntry[];
  rules?: readonly RuleEntry[];
  heartbeats?: readonly HeartbeatEntry[];
  pages?: readonly PageEntry[];
  incident_templates?: readonly TemplateEntry[];
}

export interface NamedEntry extends Fields {
  name: string;
}

/**
 * A secret. In a file, `value` is `${env:NAME}`, which stands for an environment variable, or `${kept}`, which stands for
 * the value that the service has.
 */
export interface SecretEntry {
  name: string;
  value: string;
}

/** A check. `group` replaces `group_id`: the name of a check group. */
export interface CheckEntry extends NamedEntry {
  type: string;
  group?: string | null;
}

/** An alert rule. `check` replaces `check_id`, and `channels` replaces `channel_ids`. */
export interface RuleEntry extends NamedEntry {
  check?: Reference | null;
  channels: readonly string[];
}

/** A heartbeat, with the names of the channels that are notified of it. */
export interface HeartbeatEntry extends NamedEntry {
  channels?: readonly string[];
}

/** A page with its component groups and components. */
export interface PageEntry extends NamedEntry {
  component_groups?: readonly NamedEntry[];
  components?: readonly ComponentEntry[];
}

/** A component. `group` replaces `group_id`: the name of a component group. `check` replaces `check_id`. */
export interface ComponentEntry extends NamedEntry {
  group?: string | null;
  check?: Reference | null;
}

/** An incident template. `page` replaces `page_id`: the name of a page. `components` maps names of components to statuses. */
export interface TemplateEntry extends NamedEntry {
  page?: string | null;
  components?: readonly { component: Reference; status: string }[];
}
