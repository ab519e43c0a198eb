// Puts the pages that sim prints into frames, and the first of them before there is a sim to print it.

const frames = document.getElementById("frames");

// framed puts a page into a frame of its own, at a place of it. It may run its own script there, and nothing else. The
// frame that is there stays until the new one is drawn.
export function framed(html, place, done) {
  const url = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  const frame = document.createElement("iframe");
  frame.title = "The picture";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  frame.setAttribute("allow", "clipboard-write");
  frame.src = url + place;
  frame.onload = () => {
    // Only older pages leave: a newer one may be on its way already.
    while (frame.previousElementSibling) frame.previousElementSibling.remove();
    frame.classList.add("shown");
    done();
    URL.revokeObjectURL(url);
  };
  frames.append(frame);
}

// ahead is the page of the scenario that the editor begins with, as it was printed when the site was built. It is seen
// while the editor loads and sim is compiled, unless a link asks for something else: then it is "".
export const ahead = location.hash.length > 1 ? Promise.resolve("") : drawnAhead();

async function drawnAhead() {
  const page = await fetch("first.html");
  const html = page.ok ? await page.text() : "";
  if (!html || frames.children.length) return "";
  framed(html, "", () => undefined);
  return html;
}
