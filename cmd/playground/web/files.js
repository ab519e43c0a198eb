"use strict";
// A file system in memory, with the functions of node's fs that Go calls: what sim reads are the files of the editor.
(() => {
  const encoder = new TextEncoder(),
    decoder = new TextDecoder();
  let files = new Map();
  const open = new Map();
  let last = 10;

  const fail = (code) => Object.assign(new Error(code), { code });
  const clean = (path) => path.split("/").filter((part) => part && part !== ".").join("/");
  const isFolder = (path) => path === "" || [...files.keys()].some((name) => name.startsWith(path + "/"));
  const stat = (path) => {
    const file = files.get(path);
    if (!file && !isFolder(path)) throw fail("ENOENT");
    const type = file ? 0o100444 : 0o040555;
    return {
      dev: 1, ino: 1, mode: type, nlink: 1, uid: 0, gid: 0, rdev: 0, size: file ? file.length : 0, blksize: 4096, blocks: 1,
      atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => !file,
    };
  };
  const below = (path) => {
    const start = path ? path + "/" : "";
    const names = [...files.keys()].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length).split("/")[0]);
    return [...new Set(names)].sort();
  };
  const opened = (fd) => {
    if (!open.has(fd)) throw fail("EBADF");
    return open.get(fd);
  };
  const read = (fd, buffer, offset, length, position) => {
    const it = opened(fd);
    const from = position ?? it.at;
    const part = (files.get(it.path) || new Uint8Array()).subarray(from, from + length);
    buffer.set(part, offset);
    if (position === null) it.at += part.length;
    return part.length;
  };
  const calls = {
    open: (path) => {
      path = clean(path);
      stat(path);
      open.set(++last, { path, at: 0 });
      return last;
    },
    close: (fd) => void open.delete(fd),
    read,
    fstat: (fd) => stat(opened(fd).path),
    stat: (path) => stat(clean(path)),
    lstat: (path) => stat(clean(path)),
    readdir: (path) => below(clean(path)),
    fsync: () => undefined,
  };
  // Go waits for the answer, which therefore comes later than the question. A function that is not here writes.
  const fs = new Proxy({
    constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536 },
    writeSync: (_, bytes) => (console.error(decoder.decode(bytes)), bytes.length),
    write: (fd, bytes, _, length, __, reply) => queueMicrotask(() => (fs.writeSync(fd, bytes), reply(null, length))),
  }, {
    get: (own, name) => own[name] || ((...args) => {
      const reply = args.pop();
      queueMicrotask(() => {
        let result;
        try {
          if (!calls[name]) throw fail("EROFS");
          result = calls[name](...args);
        } catch (error) {
          return reply(error.code ? error : fail("EIO"));
        }
        reply(null, result);
      });
    }),
  });
  globalThis.fs = fs;
  globalThis.path = { resolve: (...parts) => "/" + clean(parts.join("/")) };
  globalThis.process = {
    getuid: () => 1, getgid: () => 1, geteuid: () => 1, getegid: () => 1, getgroups: () => [], pid: 1, ppid: 1, umask: () => 0,
    cwd: () => "/", chdir: () => undefined,
  };
  // setFiles gives the file system other files: their texts by name.
  globalThis.setFiles = (texts) => {
    files = new Map(Object.entries(texts).map(([name, text]) => [clean(name), encoder.encode(text)]));
  };
})();
