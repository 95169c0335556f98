import { definitionOf, type EventOf } from '../../domain/event-types.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { groupStarted } from '../domain/execution-group/examples.ts';
import type { Service } from './service.ts';

type Fact = EventOf<'ExecutionGroupStarted' | 'ExecutionGroupTimedOut' | 'CheckRunCompleted'>;

let stored = 0;

/**
 * Stores events of execution groups, as the scheduler, the regions and the reactor do, and waits until the read model
 * shows them.
 */
export const storeFacts = async (service: Service, ...facts: Fact[]): Promise<void> => {
  for (const { type, data } of facts) {
    const stream = type === 'CheckRunCompleted' ? 'check_results-ru-central1' : 'execution_groups-0';
    const event = {
      id: derivedUuid(`fact ${stored++}`),
      type,
      data: { ...data, organization_id: service.first.id },
      metadata: {
        $correlationId: 'test',
        $causationId: 'test',
        command_id: 'test',
        actor: { kind: 'system' as const, id: 'test', role: null },
        organization_id: service.first.id,
        recorded_at: instantOf(service.time.now),
        schema_version: definitionOf(type)?.version ?? 1,
      },
    };
    const { position } = await service.stores.results.append(stream, [event], 'any');
    const context = { appended: new Map([['results', position]]) };
    await service.readers.waitFor(['check_results', 'execution_groups'], context);
  }
};

/** Starts an execution group of a check, or of an unsaved definition if no check is given. */
export const storeGroup = async (
  service: Service,
  fields: Partial<EventOf<'ExecutionGroupStarted'>['data']>,
): Promise<EventOf<'ExecutionGroupStarted'>['data']> => {
  const run_id = derivedId(`run ${stored++}`);
  const began = groupStarted({ run_id, execution_group_id: derivedId(`group of ${run_id}`), ...fields });
  if (fields.check_id === undefined) delete began.data.check_id;
  await storeFacts(service, began);
  return began.data;
};
