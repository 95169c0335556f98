import { Type } from '@sinclair/typebox';
import { TlsFacts } from '../../network/tls-facts-schema.ts';

const phase = Type.Union([Type.Integer(), Type.Null()]);

/** `check_metadata` of tcp results (spec.md: check_metadata by type). */
export const TcpMetadata = Type.Object({
  /** whether there was a connection, a secure one where that is asked for */
  connected: Type.Boolean(),
  host: Type.String(),
  port: Type.Integer(),
  /** the address connected to; null when there was none */
  address: Type.Union([Type.String(), Type.Null()]),
  /** of a secure connection */
  tls: Type.Optional(TlsFacts),
  /** whole milliseconds by phase; null where a phase was never entered */
  timings: Type.Object({
    lookup: phase,
    connect: phase,
    /** only where the connection is made secure */
    tls: Type.Optional(phase),
    /** from the connection to the first byte that the server sent; only where a text is searched */
    first_byte: phase,
    transfer: phase,
  }),
});
