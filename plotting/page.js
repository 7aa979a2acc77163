for (const data of document.querySelectorAll("figure script")) {
  const place = data.parentElement.querySelector(".chart"), picture = place.innerHTML;
  try {
    const chart = vegaLite.compile(JSON.parse(data.textContent)).spec;
    place.replaceChildren();
    new vega.View(vega.parse(chart), { renderer: "svg", container: place, hover: true }).runAsync();
  } catch (problem) { // then the picture stays
    place.innerHTML = picture;
    console.error("chart: " + problem);
  }
}
