import { nativeCall } from './native-calls.ts';

/** Names of SQLite's primary result codes, by number: https://sqlite.org/rescode.html */
const PRIMARY = (
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL ' +
  'EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING'
).split(' ');

/**
 * Suffixes that extended result codes add to the name of their primary code, in order. The first suffix of each list
 * has the number `primary + 256`, the second `primary + 512`.
 */
const EXTENDED: Readonly<Record<string, readonly string[]>> = {
  ERROR: 'MISSING_COLLSEQ RETRY SNAPSHOT'.split(' '),
  ABORT: ['', 'ROLLBACK'],
  BUSY: 'RECOVERY SNAPSHOT TIMEOUT'.split(' '),
  LOCKED: 'SHAREDCACHE VTAB'.split(' '),
  READONLY: 'RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY'.split(' '),
  IOERR: (
    'READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS ' +
    'CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH ' +
    'CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE'
  ).split(' '),
  CORRUPT: 'VTAB SEQUENCE INDEX'.split(' '),
  CANTOPEN: 'NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK'.split(' '),
  CONSTRAINT: 'CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE'.split(
    ' ',
  ),
};

/** Returns the name of a result code: 5 is `SQLITE_BUSY`, 1555 is `SQLITE_CONSTRAINT_PRIMARYKEY`. */
export const codeName = (code: number): string => {
  const primary = PRIMARY[code & 0xff];
  if (primary === undefined) return `UNKNOWN_SQLITE_ERROR_${code}`;
  const detail = EXTENDED[primary]?.[(code >> 8) - 1];
  return detail ? `SQLITE_${primary}_${detail}` : `SQLITE_${primary}`;
};

/** An error of SQLite, with the same fields as in better-sqlite3. */
export class SqliteError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** Runs an operation of the package, and converts its errors with `errorOf`. */
export const withSqliteErrors = <T>(action: () => T): T => {
  try {
    return nativeCall(action);
  } catch (error) {
    throw errorOf(error);
  }
};

interface NativeError extends Error {
  code?: string;
  /** the result code, primary or extended */
  errcode?: number;
  /** the extended code, if `errcode` is only the primary one */
  sqliteExtendedCode?: number;
}

/**
 * Converts an error of SQLite to a SqliteError. Returns any other error unchanged, such as one thrown by a user-defined
 * function.
 */
export const errorOf = (error: unknown): unknown => {
  const { code, errcode, sqliteExtendedCode, message } = error as NativeError;
  if (code !== 'ERR_SQLITE_ERROR' || errcode === undefined) return error;
  const extended = sqliteExtendedCode !== undefined && (sqliteExtendedCode & 0xff) === (errcode & 0xff);
  return new SqliteError(
    message.replace(/^Failed to open database: /, ''),
    codeName(extended ? sqliteExtendedCode : errcode),
  );
};
