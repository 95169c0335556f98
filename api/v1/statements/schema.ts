import { Type } from '@sinclair/typebox';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { STATEMENT_FORMAT } from '../../../domain/statement/content.ts';
import { choice, DayOut, Id, InstantOut, namedSchema, nullable } from '../../schema.ts';

const seconds = (description?: string) =>
  Type.Integer({ minimum: 0, description: description === undefined ? 'In seconds.' : `In seconds: ${description}` });

const figures = {
  uptime_percentage: Type.Number({ minimum: 0, maximum: 100, description: 'Rounded as in the uptime statistics.' }),
  measured: seconds('without excluded time, the future and the time before the component existed.'),
  major_outage: seconds(),
  partial_outage: seconds(),
  degraded_performance: seconds(),
  excluded: seconds('maintenance.'),
};

const StatementComponent = namedSchema(
  'StatementComponent',
  Type.Object({
    id: Id,
    name: Type.String(),
    group: nullable(Type.String({ description: 'The name of its group.' })),
    days: Type.Integer({ minimum: 1, description: 'Days of the month on which the component existed, up to now.' }),
    ...figures,
    affected_days: Type.Array(
      Type.Object({
        day: DayOut,
        status: choice(COMPONENT_STATUSES, { description: 'The worst status of the day.' }),
        ...figures,
      }),
      { description: 'Days on which the component was not operational all the time.' },
    ),
  }),
);

/** docs/reference/statements.md#fields. */
export const StatementSchema = namedSchema(
  'Statement',
  Type.Object({
    format: Type.Literal(STATEMENT_FORMAT),
    page: Type.Object({ id: Id, name: Type.String(), time_zone: Type.String({ examples: ['Europe/Berlin'] }) }),
    month: Type.String({ examples: ['2026-10'] }),
    from: { ...InstantOut, description: 'Start of the month in the time zone of the page.' },
    to: { ...InstantOut, description: 'Exclusive end of the month in the time zone of the page.' },
    complete: Type.Boolean({ description: 'False while the month is not over.' }),
    made_at: InstantOut,
    components: Type.Array(StatementComponent, { description: 'In the order of the page.' }),
    log: Type.Object({
      position: Type.String({
        description: 'Token of the last event of the page that the figures follow from.',
        examples: ['Zk3v9x0q2m7abZk3v9x0qA'],
      }),
      head: Type.String({
        description: 'Number of these events, and a hash over all of them.',
        examples: [`312:${'0f'.repeat(32)}`],
      }),
    }),
  }),
);
