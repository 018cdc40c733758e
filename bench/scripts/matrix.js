function filled(size, factor) {
    const rows = [];
    for (let i = 0; i < size; i++) {
        const row = [];
        for (let j = 0; j < size; j++) row.push(i * factor + j);
        rows.push(row);
    }
    return rows;
}
function matrix() {
    const size = 30;
    const a = filled(size, 3);
    const b = filled(size, 5);
    let trace = 0;
    for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) {
            let sum = 0;
            for (let k = 0; k < size; k++) sum += a[i][k] * b[k][j];
            if (i === j) trace += sum;
        }
    }
    return trace;
}
