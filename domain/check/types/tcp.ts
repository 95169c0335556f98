import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import { AS_SENT, commonParameters } from './common.ts';
import { orNull, phase, TlsFacts } from './metadata.ts';
import { caCertificate, tls } from './tls.ts';

/** Parameters of tcp checks (spec.md: parameters by type). */
export const TcpParameters = Type.Object(
  {
    ...commonParameters,
    /** text that the peer must send; no search if empty */
    search_text: Type.Optional(Type.String({ maxLength: 1_000 })),
    /** sent after the connection is established */
    send_text: Type.Optional(Type.String({ maxLength: 65_536 })),
    tls,
    ca_certificate: caCertificate,
  },
  AS_SENT,
);
export type TcpParameters = Static<typeof TcpParameters>;

/** `check_metadata` of tcp results. */
export const TcpMetadata = Type.Object({
  /** whether the connection was established, and secured if requested */
  connected: Type.Boolean(),
  host: Type.String(),
  port: Type.Integer(),
  /** the connected address; null without a connection */
  address: orNull(Type.String()),
  /** only for a secure connection */
  tls: Type.Optional(TlsFacts),
  timings: Type.Object({
    lookup: phase,
    connect: phase,
    /** only if the connection is secured */
    tls: Type.Optional(phase),
    /** from the connection to the first received byte; only with `search_text` */
    first_byte: phase,
    transfer: phase,
  }),
});
export type TcpMetadata = Static<typeof TcpMetadata>;

export const tcp = defineCheckType({
  name: 'tcp',
  target: { host: 'required', port: 'required' },
  parameters: TcpParameters,
  sealed: [{ path: ['send_text'], secret: true }],
  metadata: TcpMetadata,
  credits: 1,
});
