// Words for times.

// clock words an instant as the rest of sim does: 12.5s, 1m03s, 2h00m07s.
function clock(t) {
  if (t < 60) return +t.toFixed(9) + "s";
  const minutes = Math.floor(t / 60 + 1e-12);
  const rest = +(t - minutes * 60).toFixed(9);
  const seconds = (rest < 10 ? "0" : "") + rest + "s";
  if (minutes < 60) return minutes + "m" + seconds;
  return Math.floor(minutes / 60) + "h" + String(minutes % 60).padStart(2, "0") + "m" + seconds;
}

// age words a duration as kubectl's AGE column does.
// since says from when on something is so. What a run with a running cluster begins with was so before.
function since(run, stop) {
  return "since " + (run.begun && +run.times[stop] === 0 ? "before 0s" : clock(+run.times[stop]));
}

function age(t) {
  const s = Math.floor(t + 1e-9),
    m = Math.floor(s / 60),
    h = Math.floor(m / 60),
    d = Math.floor(h / 24);
  const two = (a, ua, b, ub) => (b ? a + ua + b + ub : a + ua);
  if (s < 120) return s + "s";
  if (m < 10) return two(m, "m", s % 60, "s");
  if (m < 180) return m + "m";
  if (h < 8) return two(h, "h", m % 60, "m");
  if (h < 48) return h + "h";
  if (d < 8) return two(d, "d", h % 24, "h");
  return d + "d";
}
