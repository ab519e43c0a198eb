// Asks the worker for commands, one at a time; the newest question is the one that counts.

// The page loads this file by itself, so that sim is on its way while the editor is still loading.
let first = new Worker("worker.js", { name: "first" });

// limit is how long a command may take, in milliseconds, unless it says otherwise. It begins when a worker that is ready
// is given the command: on a busy machine a new worker alone takes a while.
const limit = 60000;

export class Runner {
  // told is called with what there is to be said of the worker: {ready: VERSION}, {broken: WHY}.
  constructor(told) {
    this.told = told;
    this.id = 0;
    this.waiting = new Map();
    this.start();
  }

  start() {
    this.ready = false;
    this.queue = [];
    this.worker = first || new Worker("worker.js", { name: this.module ? "again" : "first" });
    first = null;
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.told({ broken: event.message });
    this.worker.postMessage({ begin: this.module || null });
  }

  hear(data) {
    if (data.module) this.module = data.module;
    else if (data.ready) {
      this.ready = true;
      for (const begin of this.queue.splice(0)) begin();
      this.told(data);
    } else if (data.broken) this.told(data);
    else if (this.waiting.has(data.id)) {
      this.waiting.get(data.id)(data);
      this.waiting.delete(data.id);
    }
  }

  // run runs a command over files, and ends what runs still. It comes to null where it was ended itself.
  run(args, files, most = limit) {
    if (this.waiting.size) this.stop();
    const id = ++this.id;
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    let late;
    const begin = () => {
      this.worker.postMessage({ id, args, files });
      late = setTimeout(() => this.waiting.has(id) && this.stop({ late: most / 1000 }), most);
    };
    if (this.ready) begin();
    else this.queue.push(begin);
    return answer.finally(() => clearTimeout(late));
  }

  // stop ends the command that runs; those who wait for it are given null, or why.
  stop(why = null) {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.queue = [];
    if (this.ready) {
      this.worker.terminate();
      this.start();
    }
    for (const resolve of waiting) resolve(why);
  }
}
