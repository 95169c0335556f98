import { Type, type Static } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import type { CheckServer } from '../../../domain/check-result/events.ts';
import type { CheckResultDocument } from '../../../projections/check-results/documents.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import { checks } from '../../../projections/checks/projection.ts';
import type { Call } from '../../route.ts';
import { choice, Id, named, nullable } from '../../schema.ts';
import { CheckResult } from '../checks/schema.ts';
import { shownMetadata } from '../checks/secrets.ts';

/** A result among those of all checks (decisions.md: Checks). */
export const ResultOfAll = named(
  'ResultOfAll',
  Type.Object({
    ...CheckResult.properties,
    check_name: nullable(Type.String()),
    check_type: choice(CHECK_TYPE_NAMES),
    region: Type.String(),
    result_type: choice(['regular', 'on_demand']),
    execution_id: nullable(Id),
    execution_group_id: nullable(Id),
    triggered_alerts: Type.Array(Type.Object({ id: Id, title: Type.String() })),
  }),
);
type ResultOfAll = Static<typeof ResultOfAll>;

/** Looks each thing up once, however often it is asked for. */
const onceEach = <T>(lookUp: (id: string) => Promise<T>): ((id: string) => Promise<T>) => {
  const known = new Map<string, Promise<T>>();
  return (id) => {
    const found = known.get(id) ?? lookUp(id);
    known.set(id, found);
    return found;
  };
};

/** Who reads results. */
type Reading = Pick<Call<unknown, unknown, unknown>, 'read' | 'may'>;

/** Shows results of a check. */
export const presentingResults = ({ read, may }: Reading): ((result: CheckResultDocument) => Promise<CheckResult>) => {
  const serverOf = onceEach(async (key): Promise<CheckServer> => {
    const server = await read(checkResults).check_servers.get(key);
    if (!server) throw new Error(`The server ${key} of a result is not known.`);
    return server.check_server;
  });
  return async ({ id, check_id, created_at, status, response_time, error_message, server, check_metadata }) => {
    const check_server = await serverOf(server);
    return {
      id,
      check_id,
      created_at,
      status,
      response_time,
      error_message: error_message ?? null,
      check_server_id: check_server.id,
      check_server,
      check_metadata: shownMetadata(check_metadata, may),
    };
  };
};

/** Shows results of any check. */
export const presentingResultsOfAll = (reading: Reading): ((result: CheckResultDocument) => Promise<ResultOfAll>) => {
  const { read } = reading;
  const present = presentingResults(reading);
  const nameOf = onceEach(async (checkId) => (await read(checks).checks.get(checkId))?.name ?? null);
  return async (result) => ({
    ...(await present(result)),
    check_name: result.check_id === null ? null : await nameOf(result.check_id),
    check_type: result.check_type,
    region: result.region,
    result_type: result.result_type ?? 'regular',
    execution_id: result.execution_id ?? null,
    execution_group_id: result.execution_group_id ?? null,
    triggered_alerts: [],
  });
};
