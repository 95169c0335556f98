import { Type } from '@sinclair/typebox';
import { CHANNEL_TYPES } from '../../../domain/alert-channel/configuration.ts';
import { presenting } from '../../present.ts';
import { choice, Id, InstantOut, named, nullable } from '../../schema.ts';

/** A channel as it is read, by itself and in the rules that name it (decisions.md: Alerts). */
export const Channel = named(
  'AlertChannel',
  Type.Object({
    id: Id,
    name: Type.String(),
    type: choice(CHANNEL_TYPES),
    configuration: Type.Record(Type.String(), Type.Unknown(), { description: 'by type; secrets are masked' }),
    enabled: Type.Boolean(),
    last_used_at: nullable(InstantOut),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);

export const presentChannel = presenting(Channel);
