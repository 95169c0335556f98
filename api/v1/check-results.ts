import { Type } from '@sinclair/typebox';
import { NotFound } from '../../domain/errors.ts';
import { regionOf } from '../../domain/check/regions.ts';
import type { CheckServer } from '../../domain/check-result/events.ts';
import type { CheckResultDocument } from '../../projections/check-results/documents.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { pagesOfStyleA } from '../pagination.ts';
import { ok, READERS, route, type Route } from '../route.ts';
import { choice, commaList, Id, instantIn } from '../schema.ts';
import { CheckResult, regionName } from './check-schema.ts';
import { checkParams, CheckParams, findCheck } from './find-check.ts';

const tag = 'Checks';
const byCheck = '/v1/checks/{check_id}/results';
const list = pagesOfStyleA({ key: 'results', size: 20 });

/** Shows results; those of one server look it up once. */
const presenting = (read: Read): ((result: CheckResultDocument) => Promise<CheckResult>) => {
  const servers = new Map<string, Promise<CheckServer>>();
  const lookUp = async (key: string): Promise<CheckServer> => {
    const server = await read(checkResults).check_servers.get(key);
    if (!server) throw new Error(`The server ${key} of a result is not known.`);
    return server.check_server;
  };
  const serverOf = (key: string): Promise<CheckServer> => {
    const server = servers.get(key) ?? lookUp(key);
    servers.set(key, server);
    return server;
  };
  return async ({ id, check_id, created_at, status, response_time, error_message, server, check_metadata }) => {
    const check_server = await serverOf(server);
    return {
      id,
      check_id,
      created_at,
      status,
      response_time,
      error_message,
      check_server_id: check_server.id,
      check_server,
      check_metadata,
    };
  };
};

const within = (from: string | undefined, to: string | undefined): Where =>
  from === undefined && to === undefined
    ? {}
    : { created_at: { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) } };

export const checkResultRoutes: Route[] = [
  route({
    methods: ['get'],
    path: byCheck,
    summary: 'The results of a check, newest first',
    tag,
    roles: READERS,
    params: CheckParams,
    query: Type.Object({
      ...list.query,
      start_date: Type.Optional(instantIn()),
      end_date: Type.Optional(instantIn({ end: true })),
      status: Type.Optional(commaList(choice(['ok', 'down', 'failed', 'error']))),
      region: Type.Optional(regionName),
      failed_only: Type.Optional(Type.Boolean({ description: 'only results that are not ok' })),
    }),
    answers: { 200: list.answer(CheckResult) },
    find: findCheck,
    handle: ({ params, query, read }) => {
      const { start_date: from, end_date: to, status, region, failed_only: failedOnly, ...paging } = query;
      const where: Where = {
        check_id: params.check_id,
        ...within(from, to),
        ...(region !== undefined && { region: regionOf(region)?.id ?? region }),
        $and: [
          ...(status ? [{ status: { $in: status } }] : []),
          ...(failedOnly === true ? [{ status: { $ne: 'ok' } }] : []),
        ],
      };
      return ok(() =>
        list.body(read(checkResults).check_results, { where, sort: { created_at: -1 } }, paging, presenting(read)),
      );
    },
  }),
  route({
    methods: ['get'],
    path: `${byCheck}/{result_id}`,
    summary: 'One result of a check',
    tag,
    roles: READERS,
    params: Type.Object({ ...checkParams, result_id: Id }),
    answers: { 200: CheckResult },
    find: async (call) => {
      const check = await findCheck(call);
      const result = await call.read(checkResults).check_results.get(call.params.result_id);
      if (result?.check_id !== check.id) throw new NotFound('There is no such result.');
      return result;
    },
    handle: ({ found, read }) => ok(() => presenting(read)(found)),
  }),
];
