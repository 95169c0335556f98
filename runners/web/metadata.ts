import { Type } from '@sinclair/typebox';
import { TlsFacts } from '../../network/tls-facts-schema.ts';

const phase = Type.Union([Type.Integer(), Type.Null()]);

/** `check_metadata` of web and api results (spec.md: check_metadata by type). */
export const WebMetadata = Type.Object({
  /** whether there was a connection to the last server, be it that it could not be made secure */
  connected: Type.Boolean(),
  host: Type.String(),
  port: Type.Integer(),
  /** the address connected to; null when there was none */
  address: Type.Union([Type.String(), Type.Null()]),
  /** the last one asked for; its query as `?…`, and cut */
  final_url: Type.String(),
  /** null when no answer came */
  status_code: Type.Union([Type.Integer(), Type.Null()]),
  /** `1.1`; absent when no answer came */
  http_version: Type.Optional(Type.String()),
  /** bytes of the last answer's body as they were sent; null where reading ended before and no length was named */
  body_size: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  /** of the last connection, where that was secure */
  tls: Type.Optional(TlsFacts),
  /** of the last answer, names in lower case; secrets are masked, much is cut */
  headers: Type.Record(Type.String(), Type.String()),
  /** redirects that were followed; absent without one */
  redirects: Type.Optional(Type.Integer()),
  /** the same one by one, with where each led */
  redirect_chain: Type.Optional(Type.Array(Type.Object({ status_code: Type.Integer(), url: Type.String() }))),
  /** the beginning of the body of a failed check, masked; only editors and admins are shown it */
  body_excerpt: Type.Optional(Type.String()),
  /** whole milliseconds by phase, over all redirects; null where a phase was never entered */
  timings: Type.Object({
    lookup: phase,
    connect: phase,
    tls: phase,
    first_byte: phase,
    transfer: phase,
  }),
});
