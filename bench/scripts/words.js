function words() {
    let text = "";
    for (let i = 0; i < 10000; i++) text += "  line " + i + "  \n";
    const trimmed = [];
    for (const line of text.split("\n")) trimmed.push(line.trim());
    let joined = "";
    for (const line of trimmed) {
        joined += line;
        joined += ",";
    }
    return joined.length;
}
