import { alertEvents } from './alert/events.ts';
import { alertChannelEvents } from './alert-channel/events.ts';
import { alertRuleEvents } from './alert-rule/events.ts';
import { checkEvents } from './check/events.ts';
import { checkGroupEvents } from './check-group/events.ts';
import { checkResultEvents } from './check-result/events.ts';
import { deliveryEvents } from './delivery/events.ts';
import { emailDomainEvents } from './email-domain/events.ts';
import type { EventDefinition, EventDefinitions, RecordedEvent } from './event.ts';
import { executionGroupEvents } from './execution-group/events.ts';
import { heartbeatEvents } from './heartbeat/events.ts';
import { heartbeatPingEvents } from './heartbeat-pings/events.ts';
import { incidentEvents } from './incident/events.ts';
import { incidentTemplateEvents } from './incident-template/events.ts';
import { invoiceSequenceEvents } from './invoice-sequence/events.ts';
import { jobEvents } from './job/events.ts';
import { logEvents } from './log/events.ts';
import { mailingEvents } from './mailing/events.ts';
import { organizationEvents } from './organization/events.ts';
import { pageEvents } from './page/events.ts';
import { paymentEvents } from './payment/events.ts';
import { quotaEvents } from './quota/events.ts';
import { regionEvents } from './region/events.ts';
import { reportEvents } from './report/events.ts';
import { reservationEvents } from './reservation/events.ts';
import { runnerEvents } from './runner/events.ts';
import { secretEvents } from './secret/events.ts';
import { sessionEvents, signInEvents } from './session/events.ts';
import { subscriberEvents } from './subscriber/events.ts';

/** All event types by category. Each type belongs to one category, and its name is unique. */
export const eventTypes = {
  log: logEvents,
  organization: organizationEvents,
  reservation: reservationEvents,
  quota: quotaEvents,
  session: sessionEvents,
  sign_in: signInEvents,
  payment: paymentEvents,
  invoice_sequence: invoiceSequenceEvents,
  page: pageEvents,
  incident: incidentEvents,
  mailing: mailingEvents,
  subscriber: subscriberEvents,
  email_domain: emailDomainEvents,
  incident_template: incidentTemplateEvents,
  alert_channel: alertChannelEvents,
  alert_rule: alertRuleEvents,
  check: checkEvents,
  check_group: checkGroupEvents,
  secret: secretEvents,
  runner: runnerEvents,
  job: jobEvents,
  report: reportEvents,
  alert: alertEvents,
  heartbeat: heartbeatEvents,
  region: regionEvents,
  check_results: checkResultEvents,
  execution_groups: executionGroupEvents,
  deliveries: deliveryEvents,
  heartbeat_pings: heartbeatPingEvents,
} as const satisfies Record<string, EventDefinitions>;

/** Categories whose streams are in the results log (docs/decisions/0002-two-logs.md). */
export const RESULT_CATEGORIES: readonly string[] = [
  'check_results',
  'execution_groups',
  'deliveries',
  'heartbeat_pings',
];

type Definitions = (typeof eventTypes)[keyof typeof eventTypes];
type KeysOf<D> = D extends unknown ? keyof D & string : never;
type DefinitionOf<D, T extends string> = D extends Record<T, infer Definition> ? Definition : never;
type StaticOf<D> = D extends { data: { static: infer Data extends object } } ? Data : never;

export type EventType = KeysOf<Definitions>;

/** The data types of all event types. */
export type EventData = { [T in EventType]: StaticOf<DefinitionOf<Definitions, T>> };

export type EventOf<T extends EventType> = { [K in T]: { type: K; data: EventData[K] } }[T];

export type RecordedEventOf<T extends EventType> = { [K in T]: RecordedEvent<{ type: K; data: EventData[K] }> }[T];

const definitions = new Map<string, EventDefinition>(
  Object.values(eventTypes).flatMap((events) => Object.entries(events)),
);

/** Returns the definition of an event type; undefined if this release does not know the type. */
export const definitionOf = (type: string): EventDefinition | undefined => definitions.get(type);
