import { Type, type Static } from '@sinclair/typebox';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

/**
 * The status of a result (docs/reference/results.md#status-of-a-result):
 *
 * - `ok`: the target meets all requirements
 * - `down`: there was no complete response
 * - `failed`: the response does not meet the requirements, or the target policy refuses the target
 * - `error`: a script did not pass
 */
export const ResultStatus = Type.Union([
  Type.Literal('ok'),
  Type.Literal('down'),
  Type.Literal('failed'),
  Type.Literal('error'),
]);
export type ResultStatus = Static<typeof ResultStatus>;

/** The machine that executed a run (docs/reference/results.md#result-fields). */
export const CheckServer = Type.Object({
  id: Type.String(),
  /** country code (ISO 3166-1 alpha-2) */
  country: Type.String(),
  region: Type.String(),
  ip_address: Type.String(),
  /**
   * The field `provider`. For a remote runner also `runner` (its name) and `clock_offset_ms` (by how many milliseconds
   * its clock was ahead of the service's clock).
   */
  server_metadata: Type.Record(Type.String(), Type.Unknown()),
});
export type CheckServer = Static<typeof CheckServer>;

/**
 * Results of runs, in the stream `check_results-{first alias of the region}` of the results log. Results are kept
 * small, because they are about a thousand times as many as other events. Absent values are omitted. The time of a
 * result is the event's `recorded_at` unless `ran_at` is set (result-time.ts).
 */
export const checkResultEvents = {
  CheckRunCompleted: {
    version: 4,
    data: Type.Object({
      /** Derived from run and region. If a result is delivered twice, both copies have the same id. */
      result_id: Type.String(),
      /** absent for an on-demand run without a check */
      check_id: Type.Optional(Type.String()),
      organization_id: Type.String(),
      check_type: CheckTypeName,
      /**
       * Key of the definition that ran (domain/check/definition-key.ts). Absent for a run without a check, and in
       * events before version 3.
       */
      definition: Type.Optional(Type.String()),
      run_id: Type.String(),
      /** when the run was due */
      slot: InstantSchema,
      result_type: Type.Union([Type.Literal('regular'), Type.Literal('on_demand')]),
      /** id of the job that requested an on-demand run */
      execution_id: Type.Optional(Type.String()),
      /** absent unless the run is a multi-region run */
      execution_group_id: Type.Optional(Type.String()),
      /**
       * Set if the result was recorded after the deadline of its run or, for a multi-region run, of the execution
       * group. A late result counts in uptime, but does not change the status of the check.
       */
      late: Type.Optional(Type.Literal(true)),
      /**
       * When the run ended, according to an estimate of the service. Set only if this is earlier than `recorded_at`,
       * because a remote runner might deliver a result much later. Absent before version 4.
       */
      ran_at: Type.Optional(InstantSchema),
      /**
       * Set for an on-demand run if the check was changed during the run. The result does not count for the changed
       * definition.
       */
      outdated: Type.Optional(Type.Literal(true)),
      /**
       * Set if the run failed while the runner could not reach its anchors, which are hosts that should always be
       * reachable. Such a result says nothing about the target (docs/reference/results.md#suspect-results).
       */
      suspect: Type.Optional(Type.Literal(true)),
      /** id of the region */
      region: Type.String(),
      status: ResultStatus,
      /** code of the error, such as `timeout`, `lookup`, `connect` or `tls` */
      reason: Type.Optional(Type.String()),
      /** in whole milliseconds; null without a complete response */
      response_time: Type.Union([Type.Integer(), Type.Null()]),
      /** sentence that describes the error; null without an error */
      error_message: Type.Union([Type.String(), Type.Null()]),
      /** the cost of the run in this region */
      credits: Type.Integer(),
      check_server: CheckServer,
      /** fields that depend on the check type (docs/reference/results.md#result-fields), and `timings` */
      check_metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  /** A result made an alert fire. The event is in the same stream as the result. */
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

/** The data of a `CheckRunCompleted` event. */
export type CheckRunCompleted = Extract<CheckResultEvent, { type: 'CheckRunCompleted' }>['data'];
