import { randomUUID } from 'node:crypto';
import { groupDropped } from './faults.ts';
import type { EventLog, StoredEvent } from './log.ts';

export interface GroupSettings {
  /** first delivered revision; -1 is the end of the stream */
  startFrom: number;
  resolveLinks: boolean;
  extraStatistics: boolean;
  messageTimeout: number;
  maxRetryCount: number;
  checkPointAfter: number;
  minCheckPointCount: number;
  maxCheckPointCount: number;
  maxSubscriberCount: number;
  liveBufferSize: number;
  readBatchSize: number;
  historyBufferSize: number;
  strategy: 'DispatchToSingle' | 'RoundRobin' | 'Pinned';
}

export interface Message {
  stored: StoredEvent;
  retries: number;
}

/** A connected consumer, as seen by its group. */
export interface Consumer {
  connectionName: string;
  from: string;
  bufferSize: number;
  inFlight: Map<string, Message & { timer: NodeJS.Timeout }>;
  /** number of messages sent to the consumer */
  sent: number;
  deliver: (message: Message) => void;
  /** Ends the connection of the consumer, normally or with an error. */
  drop: (error?: Error) => void;
}

export type NackAction = 'park' | 'retry' | 'skip' | 'stop' | 'unknown';

const json = (value: object): Uint8Array => Buffer.from(JSON.stringify(value));

/**
 * A persistent subscription to a stream. Its consumers get messages in turn, each as many as fit into its buffer. A
 * message that times out or is refused is delivered again. After the last retry, it is parked. The checkpoint and the
 * parked messages are stored as events, so they survive a restart of the server.
 */
export class Group {
  readonly stream: string;
  readonly name: string;
  readonly settings: GroupSettings;
  readonly consumers: Consumer[] = [];
  readonly #log: EventLog;
  readonly #buffer: Message[] = [];
  readonly #retry: Message[] = [];
  readonly #unsettled = new Set<number>();
  #next: number;
  /** all messages before this revision are settled */
  #floor: number;
  #checkpoint: number;
  #checkpointTimer: NodeJS.Timeout | undefined;
  #turn = 0;
  total = 0;
  readonly #stop: () => void;

  constructor(log: EventLog, stream: string, name: string, settings: GroupSettings) {
    this.#log = log;
    this.stream = stream;
    this.name = name;
    this.settings = settings;
    const start = settings.startFrom === -1 ? log.lastRevision(stream) + 1 : settings.startFrom;
    const checkpoint = log.visible(this.#checkpointStream).at(-1);
    this.#checkpoint = checkpoint ? (JSON.parse(Buffer.from(checkpoint.data).toString()) as number) : start - 1;
    this.#next = this.#checkpoint + 1;
    this.#floor = this.#next;
    this.#stop = log.onGrowth(() => {
      this.#pump();
    });
    this.#pump();
  }

  connect(consumer: Consumer): void {
    this.consumers.push(consumer);
    this.#pump();
  }

  /** Removes a consumer, and delivers its unsettled messages to other consumers. */
  disconnect(consumer: Consumer): void {
    const index = this.consumers.indexOf(consumer);
    if (index === -1) return;
    this.consumers.splice(index, 1);
    for (const message of [...consumer.inFlight.values()]) this.#again(consumer, message);
    this.#pump();
  }

  ack(consumer: Consumer, ids: readonly string[]): void {
    for (const id of ids) {
      const message = consumer.inFlight.get(id);
      if (message) this.#settle(consumer, message);
    }
    this.#pump();
  }

  nack(consumer: Consumer, ids: readonly string[], action: NackAction, reason: string): void {
    for (const id of ids) {
      const message = consumer.inFlight.get(id);
      if (!message) continue;
      if (action === 'skip') this.#settle(consumer, message);
      else if (action === 'park') this.#park(consumer, message, reason);
      else this.#again(consumer, message);
    }
    if (action === 'stop') consumer.drop();
    this.#pump();
  }

  /** Replays parked messages, oldest first. */
  replayParked(limit: number): void {
    const parked = this.#log.visible(this.parkedStream).slice(0, limit);
    for (const link of parked) {
      const revision = Number(Buffer.from(link.data).toString().split('@')[0]);
      const stored = this.#log.at(this.stream, revision);
      if (stored) this.#retry.push({ stored, retries: 0 });
    }
    const last = parked.at(-1);
    if (last) this.#log.append(`$$${this.parkedStream}`, [metadata({ $tb: Number(last.revision) + 1 })], 'any');
    this.#pump();
  }

  /** Ends the connections of all consumers. @param error the error for the consumers; absent for a normal end */
  close(error?: Error): void {
    this.#stop();
    clearTimeout(this.#checkpointTimer);
    // All consumers are removed before the first one is notified, so that no message passes from one to the next.
    for (const consumer of this.consumers.splice(0)) {
      for (const { timer } of consumer.inFlight.values()) clearTimeout(timer);
      consumer.drop(error);
    }
  }

  get parkedStream(): string {
    return `$persistentsubscription-${this.stream}::${this.name}-parked`;
  }

  get #checkpointStream(): string {
    return `$persistentsubscription-${this.stream}::${this.name}-checkpoint`;
  }

  /** Deletes the group's stored state, and notifies its consumers. */
  forget(): void {
    this.close(groupDropped(this.stream, this.name));
    for (const stream of [this.parkedStream, this.#checkpointStream]) {
      if (this.#log.lastRevision(stream) >= 0) this.#log.delete(stream);
    }
  }

  get figures() {
    return {
      live: this.#next > this.#log.lastRevision(this.stream),
      read: this.#buffer.length,
      retry: this.#retry.length,
      inFlight: this.consumers.reduce((sum, { inFlight }) => sum + inFlight.size, 0),
      parked: this.#log.visible(this.parkedStream).length,
      checkpoint: this.#checkpoint,
      lastKnown: this.#log.lastRevision(this.stream),
    };
  }

  #pump(): void {
    this.#fill();
    for (let message = this.#take(); message; message = this.#take()) {
      const consumer = this.#free();
      if (!consumer) {
        this.#retry.unshift(message);
        return;
      }
      this.#deliver(consumer, message);
      this.#fill();
    }
  }

  #fill(): void {
    if (this.#buffer.length >= this.settings.historyBufferSize) return;
    const visible = this.#log.visible(this.stream);
    const first = visible[0]?.revision ?? BigInt(this.#next);
    // Skips messages that expired before they were read.
    this.#next = Math.max(this.#next, Number(first));
    for (let at = this.#next - Number(first); this.#buffer.length < this.settings.historyBufferSize; at++) {
      const stored = visible[at];
      if (!stored) break;
      this.#buffer.push({ stored, retries: 0 });
      this.#unsettled.add(this.#next++);
    }
  }

  #take(): Message | undefined {
    return this.#free() ? (this.#retry.shift() ?? this.#buffer.shift()) : undefined;
  }

  /** Returns the next consumer, in rotation, whose buffer has room. */
  #free(): Consumer | undefined {
    for (let tries = 0; tries < this.consumers.length; tries++) {
      const consumer = this.consumers[this.#turn % this.consumers.length];
      if (consumer && consumer.inFlight.size < consumer.bufferSize) return consumer;
      this.#turn++;
    }
    return undefined;
  }

  #deliver(consumer: Consumer, message: Message): void {
    const timer = setTimeout(() => {
      this.#again(consumer, message);
      this.#pump();
    }, this.settings.messageTimeout);
    timer.unref();
    consumer.inFlight.set(message.stored.id, { ...message, timer });
    consumer.sent++;
    this.total++;
    consumer.deliver(message);
    if (consumer.inFlight.size >= consumer.bufferSize) this.#turn++;
  }

  #release(consumer: Consumer, { stored }: Message): void {
    clearTimeout(consumer.inFlight.get(stored.id)?.timer);
    consumer.inFlight.delete(stored.id);
  }

  #again(consumer: Consumer, message: Message): void {
    if (message.retries >= this.settings.maxRetryCount) {
      this.#park(consumer, message, 'Maximum retry count reached');
      return;
    }
    this.#release(consumer, message);
    this.#retry.push({ stored: message.stored, retries: message.retries + 1 });
  }

  #park(consumer: Consumer, message: Message, reason: string): void {
    const { stream, revision } = message.stored;
    const link = { id: randomUUID(), type: '$>', contentType: 'application/octet-stream' };
    const data = Buffer.from(`${revision}@${stream}`);
    this.#settle(consumer, message);
    this.#log.append(this.parkedStream, [{ ...link, data, metadata: json({ added: new Date(), reason }) }], 'any');
  }

  #settle(consumer: Consumer, message: Message): void {
    this.#release(consumer, message);
    this.#unsettled.delete(Number(message.stored.revision));
    while (this.#floor < this.#next && !this.#unsettled.has(this.#floor)) this.#floor++;
    const settled = this.#floor - 1 - this.#checkpoint;
    if (settled >= this.settings.maxCheckPointCount) this.#mark();
    else if (settled >= Math.max(1, this.settings.minCheckPointCount)) {
      this.#checkpointTimer ??= setTimeout(() => {
        this.#mark();
      }, this.settings.checkPointAfter).unref();
    }
  }

  #mark(): void {
    clearTimeout(this.#checkpointTimer);
    this.#checkpointTimer = undefined;
    if (this.#floor - 1 <= this.#checkpoint) return;
    this.#checkpoint = this.#floor - 1;
    const event = { id: randomUUID(), type: '$SubscriptionCheckpoint', contentType: 'application/json' };
    const data = Buffer.from(JSON.stringify(this.#checkpoint));
    this.#log.append(this.#checkpointStream, [{ ...event, data, metadata: new Uint8Array() }], 'any');
  }
}

const metadata = (data: object) => ({
  id: randomUUID(),
  type: '$metadata',
  contentType: 'application/json',
  data: json(data),
  metadata: new Uint8Array(),
});
