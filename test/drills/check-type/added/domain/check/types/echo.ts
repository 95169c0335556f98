import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import { commonParameters, KEEP_INPUT } from './common.ts';

/** Parameters of echo checks. */
export const EchoParameters = Type.Object(
  {
    ...commonParameters,
    /** the text to send to the server, which should send the same text back */
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  },
  KEEP_INPUT,
);
export type EchoParameters = Static<typeof EchoParameters>;

/** `check_metadata` of echo results. */
export const EchoMetadata = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  /** null if nothing was returned */
  echoed: Type.Union([Type.Boolean(), Type.Null()]),
});
export type EchoMetadata = Static<typeof EchoMetadata>;

export const echo = defineCheckType({
  name: 'echo',
  target: { host: 'required', port: { default: 7 } },
  parameters: EchoParameters,
  requiredParameters: ['text'],
  sealed: [{ path: ['text'], secret: true }],
  metadata: EchoMetadata,
  credits: 3,
  tools: ['echoer'],
  maxTimeout: 5,
});
