import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { INCIDENT_IMPACTS, INCIDENT_STATUSES, MAINTENANCE_STATUSES } from '../../../domain/incident/statuses.ts';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';

const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] });
const orNull = <T>(schema: object) => Type.Unsafe<T | null>({ ...schema, type: ['string', 'null'] });

const time = Type.String({ format: 'date-time', examples: ['2026-11-20T15:04:05.123Z'] });
const timeOrNull = orNull<string>({ format: 'date-time' });
const id = Type.String({ examples: ['k3v9x0q2m7ab'] });

export const Page = Type.Object({
  id,
  name: Type.String(),
  url: Type.String({ format: 'uri' }),
  time_zone: Type.String({ description: 'IANA', examples: ['Europe/Berlin'] }),
  updated_at: time,
});

export const INDICATORS = ['none', 'minor', 'major', 'critical', 'maintenance'] as const;

export const Status = Type.Object({
  indicator: oneOf(INDICATORS),
  description: Type.String({ examples: ['All Systems Operational'] }),
});

export const Component = Type.Object({
  id,
  name: Type.String(),
  status: oneOf(COMPONENT_STATUSES),
  created_at: time,
  updated_at: time,
  position: Type.Integer(),
  description: orNull<string>({}),
  showcase: Type.Boolean({ description: 'whether its uptime is displayed' }),
  start_date: orNull<string>({ format: 'date' }),
  group_id: orNull<string>({}),
  page_id: id,
  group: Type.Boolean({ description: 'true for a group of components' }),
  only_show_if_degraded: Type.Boolean(),
  components: Type.Optional(Type.Array(id, { description: 'ids of its components, for a group' })),
});
export type Component = Static<typeof Component>;

const AffectedComponent = Type.Object({
  code: id,
  name: Type.String(),
  old_status: oneOf(COMPONENT_STATUSES),
  new_status: oneOf(COMPONENT_STATUSES),
});
export type AffectedComponent = Static<typeof AffectedComponent>;

/** An incident with a published postmortem has the status `postmortem`. */
const statuses = oneOf([...INCIDENT_STATUSES, 'postmortem', ...MAINTENANCE_STATUSES]);

export const IncidentUpdate = Type.Object({
  id,
  status: statuses,
  body: Type.String({ description: 'Markdown; empty if nothing was written' }),
  incident_id: id,
  created_at: time,
  updated_at: time,
  display_at: time,
  affected_components: Type.Unsafe<AffectedComponent[] | null>({
    anyOf: [Type.Array(AffectedComponent), { type: 'null' }],
  }),
  deliver_notifications: Type.Boolean(),
  custom_tweet: Type.Null(),
  tweet_id: Type.Null(),
});
export type IncidentUpdate = Static<typeof IncidentUpdate>;

/** Returns a reference to a schema that the document defines under a name. */
const named = (name: string): TSchema => Type.Unsafe({ $ref: `#/components/schemas/${name}` });

const incident = {
  id,
  name: Type.String(),
  status: statuses,
  created_at: time,
  updated_at: time,
  monitoring_at: timeOrNull,
  resolved_at: timeOrNull,
  impact: oneOf(INCIDENT_IMPACTS),
  shortlink: Type.String({ format: 'uri', description: "the incident's page" }),
  started_at: time,
  page_id: id,
  incident_updates: Type.Array(named('IncidentUpdate'), { description: 'newest first' }),
  components: Type.Array(named('Component'), { description: 'the components that it has named so far' }),
  reminder_intervals: orNull<string>({ examples: ['1d, 2h'] }),
};

export const Incident = Type.Object(incident);
export const Maintenance = Type.Object({ ...incident, scheduled_for: time, scheduled_until: time });

/**
 * The fields of a subscriber that are returned to the visitor who has just subscribed. Other data of the subscriber is
 * not returned, because anybody can subscribe an address of somebody else.
 */
const Subscriber = Type.Object({
  id,
  mode: oneOf(['email', 'sms', 'webhook']),
  email: orNull<string>({ examples: ['i***@example.com'], description: 'masked' }),
  phone_number: orNull<string>({ description: 'masked' }),
  endpoint: orNull<string>({}),
  component_ids: Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } }),
  incident_id: orNull<string>({}),
  created_at: time,
});
export type Subscriber = Static<typeof Subscriber>;

const text = (description: string) => Type.Optional(Type.String({ maxLength: 2_048, description }));
const subscriber = {
  email: text('address of the subscriber; for a webhook: contact address'),
  phone_number: text('for text messages'),
  phone_country: text('ISO 3166-1 alpha-2; default: US'),
  endpoint: text('URL of a webhook'),
  component_id: text('only events of this component'),
  component_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 1_000 })),
  incident_id: text('only this incident'),
};
export const SubscriberFields = Type.Object(subscriber);
export type SubscriberFields = Static<typeof SubscriberFields>;

/**
 * In form bodies, the names of fields have the form `subscriber[email]`, and the names of list fields have the form
 * `subscriber[component_ids][]`.
 */
export const NewSubscriber = Type.Object({
  subscriber: Type.Optional(SubscriberFields),
  ...Object.fromEntries(
    Object.entries(subscriber).map(([name, schema]) => [
      name === 'component_ids' ? 'subscriber[component_ids][]' : `subscriber[${name}]`,
      schema,
    ]),
  ),
});

export const SCHEMAS: Readonly<Record<string, TObject>> = {
  Page,
  Status,
  Component,
  IncidentUpdate,
  Incident,
  Maintenance,
  Subscriber,
  NewSubscriber: Type.Object({ subscriber: SubscriberFields }),
};

/** An incident or a maintenance, by its id. */
export const ONE_INCIDENT: TObject = Type.Object({
  page: named('Page'),
  incident: Type.Unsafe({ anyOf: [named('Incident'), named('Maintenance')] }),
});

/**
 * Returns the schema of a file.
 *
 * @param keys name of a schema for each key of the file, in brackets if the value is a list
 */
export const fileOf = (keys: Readonly<Record<string, string | readonly [string]>>): TObject =>
  Type.Object(
    Object.fromEntries(
      Object.entries(keys).map(([key, of]) => [key, typeof of === 'string' ? named(of) : Type.Array(named(of[0]))]),
    ),
  );
