import { compareHistories } from './compare.ts';

compareHistories(101, 100);
