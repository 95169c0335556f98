import { Type, type Static } from '@sinclair/typebox';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

/**
 * `ok`; `down`: no complete answer came; `failed`: an answer that was not as required, or a target that the
 * policy refused; `error`: a script that did not pass (decisions.md: Checks).
 */
export const ResultStatus = Type.Union([
  Type.Literal('ok'),
  Type.Literal('down'),
  Type.Literal('failed'),
  Type.Literal('error'),
]);
export type ResultStatus = Static<typeof ResultStatus>;

/** The server that ran a check (spec.md: Check result). */
export const CheckServer = Type.Object({
  id: Type.String(),
  /** ISO 3166-1 alpha-2 */
  country: Type.String(),
  region: Type.String(),
  ip_address: Type.String(),
  /**
   * `provider`; of a remote runner also `runner` (its name) and `clock_offset_ms` (by how much its clock was ahead of
   * that of the service, milliseconds)
   */
  server_metadata: Type.Record(Type.String(), Type.Unknown()),
});
export type CheckServer = Static<typeof CheckServer>;

/**
 * Outcomes of runs, in `check_results-{first alias of the region}` of the results log. They are small, since
 * there are a thousand of them for each other event: absent values are left out, and the time of
 * the result is the event's `recorded_at` unless `ran_at` says otherwise (result-time.ts).
 */
export const checkResultEvents = {
  CheckRunCompleted: {
    version: 4,
    data: Type.Object({
      /** derived from run and region, so a run that is delivered twice gives one result */
      result_id: Type.String(),
      /** absent for a run of a definition that is not stored */
      check_id: Type.Optional(Type.String()),
      organization_id: Type.String(),
      check_type: CheckTypeName,
      /** what of the check ran (definition-key.ts); absent for a definition that is not stored, and until version 3 */
      definition: Type.Optional(Type.String()),
      run_id: Type.String(),
      /** when the run was due */
      slot: InstantSchema,
      result_type: Type.Union([Type.Literal('regular'), Type.Literal('on_demand')]),
      /** the job of an on-demand run */
      execution_id: Type.Optional(Type.String()),
      /** of parallel runs */
      execution_group_id: Type.Optional(Type.String()),
      /** recorded after its time had run out (for a parallel run, the group's time); stored, but changes nothing */
      late: Type.Optional(Type.Literal(true)),
      /**
       * when the run ended, as the service estimates it, where that is known to be earlier than `recorded_at`: a remote
       * runner may deliver a result long afterwards. Never later than `recorded_at`; absent until version 4
       */
      ran_at: Type.Optional(InstantSchema),
      /** for a run on demand whose check was changed meanwhile: it says nothing about the check as it is now */
      outdated: Type.Optional(Type.Literal(true)),
      /** its runner could not reach its own anchors either: it says nothing about the target (decisions.md: Checks) */
      suspect: Type.Optional(Type.Literal(true)),
      /** id of the region */
      region: Type.String(),
      status: ResultStatus,
      /** what went wrong, for programs: `timeout`, `lookup`, `connect`, `tls`, … */
      reason: Type.Optional(Type.String()),
      /** whole milliseconds; null unless a complete answer came */
      response_time: Type.Union([Type.Integer(), Type.Null()]),
      /** what went wrong, for people */
      error_message: Type.Union([Type.String(), Type.Null()]),
      /** what the run cost in this region */
      credits: Type.Integer(),
      check_server: CheckServer,
      /** by type (spec.md: check_metadata by type), with `timings` */
      check_metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  /** It made an alert fire; in the stream of its region. */
  ResultRaisedAlert: {
    version: 1,
    data: Type.Object({
      result_id: Type.String(),
      alert_id: Type.String(),
      /** of the alert */
      title: Type.String(),
      organization_id: Type.String(),
      check_id: Type.String(),
      /** when the alert fired */
      at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type CheckResultEvent = EventsOf<typeof checkResultEvents>;

/** The outcome of a run. */
export type CheckRunCompleted = Extract<CheckResultEvent, { type: 'CheckRunCompleted' }>['data'];
