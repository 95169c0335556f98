import { Type, type Static } from '@sinclair/typebox';
import { AS_SENT, commonParameters } from './common.ts';
import { caCertificate, tls } from './tls.ts';

/** Parameters of tcp checks (spec.md: parameters by type). */
export const TcpParameters = Type.Object(
  {
    ...commonParameters,
    /** must stand in what the peer sends; asked for nothing when empty */
    search_text: Type.Optional(Type.String({ maxLength: 1_000 })),
    /** written to the socket once it is connected */
    send_text: Type.Optional(Type.String({ maxLength: 65_536 })),
    tls,
    ca_certificate: caCertificate,
  },
  AS_SENT,
);
export type TcpParameters = Static<typeof TcpParameters>;
