import { Type } from '@sinclair/typebox';

const phase = Type.Union([Type.Integer(), Type.Null()]);

/** `check_metadata` of web and api results (spec.md: check_metadata by type). */
export const WebMetadata = Type.Object({
  /** whether there was a connection to the last server, be it that it could not be made secure */
  connected: Type.Boolean(),
  host: Type.String(),
  port: Type.Integer(),
  /** the address connected to; null when there was none */
  address: Type.Union([Type.String(), Type.Null()]),
  /** null when no answer came */
  status_code: Type.Union([Type.Integer(), Type.Null()]),
  /** of the last answer, names in lower case; secrets are masked, much is cut */
  headers: Type.Record(Type.String(), Type.String()),
  /** redirects that were followed; absent without one */
  redirects: Type.Optional(Type.Integer()),
  /** whole milliseconds by phase, over all redirects; null where a phase was never entered */
  timings: Type.Object({
    lookup: phase,
    connect: phase,
    tls: phase,
    first_byte: phase,
    transfer: phase,
  }),
});
