import { Type, type Static } from '@sinclair/typebox';

/** One part of the service, as `/health/ready` shows it: nothing about what is stored in it. */
export const HealthPart = Type.Object(
  {
    name: Type.String({ examples: ['projection incidents'] }),
    ready: Type.Boolean(),
    state: Type.String({ examples: ['live'] }),
    /** events that a projection has yet to fold, or null where there is no such thing */
    lag: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
    /** a sentence where something is wrong */
    message: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'HealthPart' },
);
export type HealthPart = Static<typeof HealthPart>;

/** The parts of the service as they are now: event stores, projections, read models. */
export type Health = () => Promise<readonly HealthPart[]>;

export interface HealthAnswer {
  status: number;
  body: { status: 'ready' | 'not ready'; parts: readonly HealthPart[] };
}

/** 200 when every part is ready, else 503. */
export const readiness = async (health: Health): Promise<HealthAnswer> => {
  const parts = await health();
  const ready = parts.every((part) => part.ready);
  return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', parts } };
};
