import { eventStoreContract } from '../../../contracts/event-store.ts';
import { openAppenderAndReader, openService, openTemporary } from './temporary.ts';

eventStoreContract('SQLite in a service', () => openTemporary(openService), { durable: true });
eventStoreContract('SQLite beside a service', () => openTemporary(openAppenderAndReader), { durable: true });
