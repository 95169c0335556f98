import { Type, type Static } from '@sinclair/typebox';
import type { RecordedEvent } from '../../domain/event.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { auditSubjectOf } from '../../projections/audit/subjects.ts';
import { describeEvent } from '../../queries/history/describe.ts';
import { actorNames } from '../../queries/history/names.ts';
import type { Call } from '../route.ts';
import { InstantOut, namedSchema, nullable } from '../schema.ts';
import { subjectIn } from './resource-events.ts';
import type { Source } from './source.ts';

type EventsCall = Pick<Call<Record<string, string>, unknown, unknown>, 'may' | 'params' | 'scope'>;

export const Value = Type.Unknown({ examples: ['Payments fail'] });

export const HistoryEvent = namedSchema(
  'HistoryEvent',
  Type.Object({
    at: { ...InstantOut, description: 'when it was recorded' },
    type: Type.String({ examples: ['IncidentUpdateAppended'] }),
    action: nullable(
      Type.String({
        description: 'its name in the audit log; null: not an action of a user or API key',
        examples: ['incident.updated'],
      }),
    ),
    actor: Type.Object({
      kind: Type.Union([Type.Literal('user'), Type.Literal('api_key'), Type.Literal('system')]),
      id: Type.String({ examples: ['k3v9x0q2m7ab'] }),
      role: nullable(Type.String({ examples: ['editor'] })),
      name: nullable(Type.String({ examples: ['Ida Berg'] })),
    }),
    ip_address: nullable(
      Type.String({ description: 'only for callers who may read the audit log', examples: ['192.0.2.7'] }),
    ),
    user_agent: nullable(
      Type.String({ description: 'only for callers who may read the audit log', examples: ['curl/8.5.0'] }),
    ),
    changes: Type.Record(Type.String(), Type.Object({ old: Value, new: Value }), { description: 'by field' }),
  }),
);

/** Describes events for the history of the resource that the path names. */
export const shownEvents = async (
  { scope, may, params }: EventsCall,
  source: Source,
  events: readonly RecordedEvent[],
): Promise<Static<typeof HistoryEvent>[]> => {
  const names = await actorNames(scope, events);
  const mayAudit = may('audit.read');
  return Promise.all(
    events.map(async (event) => {
      const subject = subjectIn(event, params, source) ?? auditSubjectOf(event);
      const { ip_address, user_agent, ...described } = await describeEvent(event, scope.keys, names, subject);
      return {
        ...described,
        ...(subject?.resource_type === 'organization' && {
          changes: may('billing.read') ? described.changes : withoutBilling(described.changes),
        }),
        ip_address: mayAudit ? ip_address : null,
        user_agent: mayAudit ? user_agent : null,
      };
    }),
  );
};

type Changes = Static<typeof HistoryEvent>['changes'];

/** Masks what only callers who may read billing data see of an organization. */
const withoutBilling = ({ invoice_details: details, ...others }: Changes): Changes => ({
  ...others,
  ...(details && { invoice_details: { old: MASKED_TEXT, new: MASKED_TEXT } }),
});
