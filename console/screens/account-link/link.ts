import type { AnswerOf } from '../../api/request.ts';

/** What the API responds about an account link, such as its purpose. */
export type AccountLink = AnswerOf<'POST /v1/users/link'>;
