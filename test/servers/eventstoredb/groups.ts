import { randomUUID } from 'node:crypto';
import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import {
  status,
  type handleUnaryCall,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceError,
} from '@grpc/grpc-js';
import type { Access } from './access.ts';
import { failure, groupAbsent, groupExists, notLeader, type Faults } from './faults.ts';
import { Group, type Consumer, type GroupSettings, type NackAction } from './group.ts';
import type { EventLog } from './log.ts';
import { consumedEvent, nameOf, textOf } from './messages.ts';

/** The stream with the configurations of existing groups. */
const CONFIG = '$persistentSubscriptionConfig';

type Config = { stream: string; name: string; settings: GroupSettings | null };

/** Creates the persistent subscriptions to streams of a server. */
export const createGroups = (log: EventLog, faults: Faults, access: Access) => {
  const groups = new Map<string, Group>();
  const keyOf = (stream: string, name: string): string => `${stream}::${name}`;

  const write = (config: Config): void => {
    const event = { id: randomUUID(), type: '$PersistentConfig', contentType: 'application/json' };
    const data = Buffer.from(JSON.stringify(config));
    log.append(CONFIG, [{ ...event, data, metadata: new Uint8Array() }], 'any');
  };

  const known = new Map<string, Config>();
  for (const { data } of log.visible(CONFIG)) {
    const config = JSON.parse(Buffer.from(data).toString()) as Config;
    known.set(keyOf(config.stream, config.name), config);
  }
  for (const [key, { stream, name, settings }] of known) {
    if (settings) groups.set(key, new Group(log, stream, name, settings));
  }

  const find = (stream: string, name: string): Group => {
    const group = groups.get(keyOf(stream, name));
    if (!group) throw groupAbsent(stream, name);
    return group;
  };

  /** Responds to a unary call with the result of `run`, or with the error that `run` throws. */
  const unary =
    <Request, Response>(run: (request: Request) => Response): handleUnaryCall<Request, Response> =>
    (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>) => {
      const mayAnswer = faults.begin();
      void faults.wait().then(() => {
        if (!mayAnswer()) return;
        try {
          if (faults.leader) throw notLeader(faults.leader);
          access.toGroups(call.metadata);
          respond(null, run(call.request));
        } catch (error) {
          respond(error as ServiceError);
        }
      });
    };

  const read = (call: ServerDuplexStream<persistent.ReadReq, persistent.ReadResp>): void => {
    const mayAnswer = faults.begin();
    let group: Group | undefined;
    let consumer: Consumer | undefined;
    const leave = (): void => {
      if (group && consumer) group.disconnect(consumer);
    };
    const open = (options: persistent.ReadReq.Options): void => {
      access.toGroups(call.metadata);
      const structured = options.getUuidOption()?.hasStructured() === true;
      group = find(nameOf(options.getStreamIdentifier()), options.getGroupName());
      consumer = {
        connectionName: call.metadata.get('connection-name')[0]?.toString() ?? '',
        from: call.getPeer(),
        bufferSize: options.getBufferSize(),
        inFlight: new Map(),
        sent: 0,
        deliver: ({ stored, retries }) => {
          if (mayAnswer()) call.write(consumedEvent(stored, retries, structured));
        },
        drop: (error) => {
          leave();
          if (error) call.emit('error', error);
          else call.end();
        },
      };
      const id = new persistent.ReadResp.SubscriptionConfirmation().setSubscriptionId(keyOf(group.stream, group.name));
      call.write(new persistent.ReadResp().setSubscriptionConfirmation(id));
      group.connect(consumer);
    };
    call.on('data', (request: persistent.ReadReq) => {
      if (!mayAnswer()) return;
      const options = request.getOptions();
      try {
        if (options) open(options);
      } catch (error) {
        call.emit('error', error);
      }
      if (!group || !consumer) return;
      const ack = request.getAck();
      if (ack) group.ack(consumer, ack.getIdsList().map(textOf));
      const nack = request.getNack();
      if (nack) group.nack(consumer, nack.getIdsList().map(textOf), actionOf(nack.getAction()), nack.getReason());
    });
    call.on('cancelled', leave);
    call.on('error', leave);
  };

  return {
    service: {
      create: unary<persistent.CreateReq, persistent.CreateResp>((request) => {
        const options = request.getOptions();
        const stream = nameOf(options?.getStream()?.getStreamIdentifier() ?? options?.getStreamIdentifier());
        const name = options?.getGroupName() ?? '';
        if (groups.has(keyOf(stream, name))) throw groupExists(stream, name);
        const settings = settingsOf(options?.getSettings() ?? new persistent.CreateReq.Settings());
        write({ stream, name, settings });
        groups.set(keyOf(stream, name), new Group(log, stream, name, settings));
        return new persistent.CreateResp();
      }),
      update: unary<persistent.UpdateReq, persistent.UpdateResp>((request) => {
        const options = request.getOptions();
        const stream = nameOf(options?.getStream()?.getStreamIdentifier() ?? options?.getStreamIdentifier());
        const group = find(stream, options?.getGroupName() ?? '');
        const settings = settingsOf(options?.getSettings() ?? new persistent.UpdateReq.Settings());
        group.close();
        write({ stream, name: group.name, settings });
        groups.set(keyOf(stream, group.name), new Group(log, stream, group.name, settings));
        return new persistent.UpdateResp();
      }),
      delete: unary<persistent.DeleteReq, persistent.DeleteResp>((request) => {
        const options = request.getOptions();
        const group = find(nameOf(options?.getStreamIdentifier()), options?.getGroupName() ?? '');
        groups.delete(keyOf(group.stream, group.name));
        group.forget();
        write({ stream: group.stream, name: group.name, settings: null });
        return new persistent.DeleteResp();
      }),
      read,
      getInfo: unary<persistent.GetInfoReq, persistent.GetInfoResp>((request) => {
        const options = request.getOptions();
        const group = find(nameOf(options?.getStreamIdentifier()), options?.getGroupName() ?? '');
        return new persistent.GetInfoResp().setSubscriptionInfo(infoOf(group));
      }),
      replayParked: unary<persistent.ReplayParkedReq, persistent.ReplayParkedResp>((request) => {
        const options = request.getOptions();
        const group = find(nameOf(options?.getStreamIdentifier()), options?.getGroupName() ?? '');
        group.replayParked(options?.hasStopAt() === true ? Number(options.getStopAt()) : Infinity);
        return new persistent.ReplayParkedResp();
      }),
      list: unary<persistent.ListReq, persistent.ListResp>((request) => {
        const stream = request.getOptions()?.getListForStream()?.getStream();
        const wanted = [...groups.values()].filter((group) => !stream || group.stream === nameOf(stream));
        if (stream && wanted.length === 0) throw groupAbsent(nameOf(stream), '');
        return new persistent.ListResp().setSubscriptionsList(wanted.map(infoOf));
      }),
      restartSubsystem: unary(() => {
        throw failure(status.UNIMPLEMENTED, 'The double does not restart its subscriptions.', {});
      }),
    },
    /** Ends all consumers' connections normally. */
    closeSubscriptions: (): void => {
      for (const group of groups.values()) for (const consumer of [...group.consumers]) consumer.drop();
    },
    close: (): void => {
      for (const group of groups.values()) group.close();
    },
  };
};

const ACTIONS: readonly NackAction[] = ['unknown', 'park', 'retry', 'skip', 'stop'];
const actionOf = (action: number): NackAction => ACTIONS[action] ?? 'unknown';

const STRATEGIES = ['DispatchToSingle', 'RoundRobin', 'Pinned'] as const;
const LAST = 18_446_744_073_709_551_615n;

const settingsOf = (given: persistent.CreateReq.Settings | persistent.UpdateReq.Settings): GroupSettings => ({
  startFrom: BigInt(given.getRevision()) === LAST ? -1 : Number(given.getRevision()),
  resolveLinks: given.getResolveLinks(),
  extraStatistics: given.getExtraStatistics(),
  messageTimeout: given.getMessageTimeoutMs(),
  maxRetryCount: given.getMaxRetryCount(),
  checkPointAfter: given.getCheckpointAfterMs(),
  minCheckPointCount: given.getMinCheckpointCount(),
  maxCheckPointCount: given.getMaxCheckpointCount(),
  maxSubscriberCount: given.getMaxSubscriberCount(),
  liveBufferSize: given.getLiveBufferSize(),
  readBatchSize: given.getReadBatchSize(),
  historyBufferSize: given.getHistoryBufferSize(),
  strategy: STRATEGIES[given.getNamedConsumerStrategy()],
});

const infoOf = (group: Group): persistent.SubscriptionInfo => {
  const { settings, figures } = group;
  const info = new persistent.SubscriptionInfo()
    .setEventSource(group.stream)
    .setGroupName(group.name)
    .setStatus(figures.live ? 'Live' : 'Behind')
    .setTotalItems(group.total.toString())
    .setCountSinceLastMeasurement('0')
    .setLastCheckpointedEventPosition(figures.checkpoint < 0 ? '' : figures.checkpoint.toString())
    .setLastKnownEventPosition(figures.lastKnown < 0 ? '' : figures.lastKnown.toString())
    .setResolveLinkTos(settings.resolveLinks)
    .setStartFrom(settings.startFrom.toString())
    .setMessageTimeoutMilliseconds(settings.messageTimeout)
    .setExtraStatistics(settings.extraStatistics)
    .setMaxRetryCount(settings.maxRetryCount)
    .setLiveBufferSize(settings.liveBufferSize)
    .setBufferSize(settings.historyBufferSize)
    .setReadBatchSize(settings.readBatchSize)
    .setCheckPointAfterMilliseconds(settings.checkPointAfter)
    .setMinCheckPointCount(settings.minCheckPointCount)
    .setMaxCheckPointCount(settings.maxCheckPointCount)
    .setMaxSubscriberCount(settings.maxSubscriberCount)
    .setReadBufferCount(figures.read)
    .setLiveBufferCount(figures.read.toString())
    .setRetryBufferCount(figures.retry)
    .setTotalInFlightMessages(figures.inFlight)
    .setOutstandingMessagesCount(figures.inFlight)
    .setNamedConsumerStrategy(settings.strategy)
    .setParkedMessageCount(figures.parked.toString());
  for (const { connectionName, from, bufferSize, inFlight, sent } of group.consumers) {
    const connection = new persistent.SubscriptionInfo.ConnectionInfo()
      .setFrom(from)
      .setConnectionName(connectionName)
      .setTotalItems(sent.toString())
      .setCountSinceLastMeasurement('0')
      .setAvailableSlots(bufferSize - inFlight.size)
      .setInFlightMessages(inFlight.size);
    info.addConnections(connection);
  }
  return info;
};
