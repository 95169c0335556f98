import { Type, type Static } from '@sinclair/typebox';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

/**
 * `ok`; `down`: no complete response; `failed`: a response that does not meet the requirements, or a target that the
 * policy refuses; `error`: a script that did not pass (docs/reference/results.md#status-of-a-result).
 */
export const ResultStatus = Type.Union([
  Type.Literal('ok'),
  Type.Literal('down'),
  Type.Literal('failed'),
  Type.Literal('error'),
]);
export type ResultStatus = Static<typeof ResultStatus>;

/** The server that ran a check (docs/reference/results.md#result-fields). */
export const CheckServer = Type.Object({
  id: Type.String(),
  /** ISO 3166-1 alpha-2 */
  country: Type.String(),
  region: Type.String(),
  ip_address: Type.String(),
  /**
   * `provider`; for a remote runner also `runner` (its name) and `clock_offset_ms` (how far its clock was ahead of the
   * service's clock, milliseconds)
   */
  server_metadata: Type.Record(Type.String(), Type.Unknown()),
});
export type CheckServer = Static<typeof CheckServer>;

/**
 * Results of runs, in `check_results-{first alias of the region}` of the results log. They are small, since
 * there are a thousand of them for each other event: absent values are omitted, and the time of the result
 * is the event's `recorded_at` unless `ran_at` is set (result-time.ts).
 */
export const checkResultEvents = {
  CheckRunCompleted: {
    version: 4,
    data: Type.Object({
      /** derived from run and region, so a run that is delivered twice has one result */
      result_id: Type.String(),
      /** absent for an on-demand run without a check */
      check_id: Type.Optional(Type.String()),
      organization_id: Type.String(),
      check_type: CheckTypeName,
      /** key of the definition that ran (domain/check/definition-key.ts); absent for a run without a check, and before version 3 */
      definition: Type.Optional(Type.String()),
      run_id: Type.String(),
      /** when the run was due */
      slot: InstantSchema,
      result_type: Type.Union([Type.Literal('regular'), Type.Literal('on_demand')]),
      /** the job of an on-demand run */
      execution_id: Type.Optional(Type.String()),
      /** only for multi-region runs */
      execution_group_id: Type.Optional(Type.String()),
      /** recorded after its deadline (for a multi-region run, that of the group); stored, but without effect */
      late: Type.Optional(Type.Literal(true)),
      /**
       * when the run ended, as estimated by the service, if that is earlier than `recorded_at`: a remote runner may
       * deliver a result much later. Never later than `recorded_at`; absent before version 4
       */
      ran_at: Type.Optional(InstantSchema),
      /** for an on-demand run whose check was changed meanwhile: it does not count for the current definition */
      outdated: Type.Optional(Type.Literal(true)),
      /** its runner could not reach its own anchors either, so it does not count for the target (docs/reference/results.md#suspect-results) */
      suspect: Type.Optional(Type.Literal(true)),
      /** id of the region */
      region: Type.String(),
      status: ResultStatus,
      /** the error as a code: `timeout`, `lookup`, `connect`, `tls`, … */
      reason: Type.Optional(Type.String()),
      /** whole milliseconds; null without a complete response */
      response_time: Type.Union([Type.Integer(), Type.Null()]),
      /** the error as a sentence */
      error_message: Type.Union([Type.String(), Type.Null()]),
      /** the cost of the run in this region */
      credits: Type.Integer(),
      check_server: CheckServer,
      /** by type (docs/reference/results.md#result-fields), with `timings` */
      check_metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  /** A result made an alert fire; in the stream of the region. */
  ResultRaisedAlert: {
    version: 1,
    data: Type.Object({
      result_id: Type.String(),
      alert_id: Type.String(),
      /** title of the alert */
      title: Type.String(),
      organization_id: Type.String(),
      check_id: Type.String(),
      /** when the alert fired */
      at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type CheckResultEvent = EventsOf<typeof checkResultEvents>;

/** The data of a result. */
export type CheckRunCompleted = Extract<CheckResultEvent, { type: 'CheckRunCompleted' }>['data'];
