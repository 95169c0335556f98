import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import { KEEP_INPUT, commonParameters } from './common.ts';
import { orNull, phaseDuration, TlsFacts } from './metadata.ts';
import { caCertificate, tls } from './tls.ts';

/** Parameters of tcp checks (docs/reference/tcp-checks.md#parameters). */
export const TcpParameters = Type.Object(
  {
    ...commonParameters,
    /** text that the server must send; no requirement if empty */
    search_text: Type.Optional(Type.String({ maxLength: 1_000 })),
    /** text that the check sends after the connection is established */
    send_text: Type.Optional(Type.String({ maxLength: 65_536 })),
    tls,
    ca_certificate: caCertificate,
  },
  KEEP_INPUT,
);
export type TcpParameters = Static<typeof TcpParameters>;

/** `check_metadata` of tcp results. */
export const TcpMetadata = Type.Object({
  /** whether the connection was established and, if the check uses TLS, secured */
  connected: Type.Boolean(),
  host: Type.String(),
  port: Type.Integer(),
  /** IP address of the server; null without a connection */
  address: orNull(Type.String()),
  /** absent without TLS */
  tls: Type.Optional(TlsFacts),
  timings: Type.Object({
    lookup: phaseDuration,
    connect: phaseDuration,
    /** absent without TLS */
    tls: Type.Optional(phaseDuration),
    /** time from the established connection to the first received byte; null without `search_text` */
    first_byte: phaseDuration,
    transfer: phaseDuration,
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
